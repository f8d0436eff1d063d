// Follows a table live, for a room: whenever something has happened, the page is fetched again and made like it.

import { live } from "./live.js";
import { morph } from "./morph.js";

const SLOW = 10_000; // milliseconds between two looks while there is no live connection
const shown = document.getElementById("projector");
const news = document.getElementById("news");
const version = () => Number(shown.dataset.version);

let heard = version();
let looking = false;

async function look() {
  if (looking) return;
  looking = true;
  try {
    do {
      const answer = await fetch(location.href);
      if (!answer.ok) break;
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
      const next = fresh.getElementById("projector");
      if (Number(next.dataset.version) < version()) break;
      const newer = Number(next.dataset.version) > version();
      morph(shown, next);
      document.title = fresh.title;
      if (newer) news.textContent = shown.dataset.said;
    } while (heard > version());
  } catch {
    // No connection: the live one tells when it is back.
  } finally {
    looking = false;
  }
}

function hear(message) {
  heard = Math.max(heard, message.version ?? 0);
  if (heard > version()) look();
}

const linked = live(shown.dataset.table, version, hear, (up) => up && look());
setInterval(() => linked() || look(), SLOW);
