// A pupil's page in a room: it goes where the pupil's place is, by itself. Without this script the pages load again.

import { morph } from "./morph.js";
import { swapping } from "./swap.js";

const FIRST = 400;
const LONGEST = 5_000;
const PING = 15_000;
const ONWARD = 8_000; // milliseconds to look at the end of a match before the next partner is asked for
const BORED = 10_000; // milliseconds of waiting after which a puzzle comes
const FOLLOW = 3_000;
const place = document.getElementById("place");
const { room, table } = place.dataset;
const board = document.getElementById("board");

let socket;
let tries = 0;
let leaving = false;

function go(address) {
  if (leaving) return;
  leaving = true;
  location.assign(address);
}

function hear(message) {
  if (message.type !== "place") return;
  if (message.place === "elsewhere" || message.place === "removed") return go(`/room/${room}`);
  if (table) return atTable(message);
  if (message.place === "table") return go(`/tables/${message.table}`);
  if (message.place !== place.dataset.place || message.phase !== place.dataset.phase) go(`/room/${room}`);
}

function atTable(message) {
  document.getElementById("paused").hidden = message.phase !== "paused";
  place.dataset.phase = message.phase;
  const onwardTo = document.getElementById("onward-to");
  if (onwardTo && message.phase === "ended") onwardTo.textContent = "To the podium";
  if (message.place !== "table") leaveUnlessOver();
  else if (message.table !== table) go(`/tables/${message.table}`);
}

// A pupil without a table stays at the board to see the end of the match, but not if it was ended without a result.
async function leaveUnlessOver() {
  const answer = await fetch(`/api/v1/tables/${table}`).catch(() => null);
  if (answer && answer.ok && (await answer.json()).match.outcome !== null) return;
  if (answer) go(`/room/${room}`);
}

function open() {
  const address = new URL(`/api/v1/rooms/${room}/live`, location.href);
  address.protocol = address.protocol.replace("http", "ws");
  socket = new WebSocket(address);
  socket.onopen = () => (tries = 0);
  socket.onmessage = ({ data }) => hear(JSON.parse(data));
  socket.onclose = () => {
    if (leaving) return;
    const wait = Math.min(LONGEST, FIRST * 2 ** tries++);
    setTimeout(look, wait * (0.5 + Math.random() / 2));
  };
}

// A lost connection may mean that the place is gone: the API says which, and a deleted room is left.
async function look() {
  try {
    const answer = await fetch(`/api/v1/rooms/${room}/place`);
    if (answer.status === 410 || answer.status === 403) return go(`/room/${room}`);
    if (answer.ok) hear({ type: "place", ...(await answer.json()) });
  } catch {
    // No connection: the next try tells.
  }
  if (!leaving) open();
}

// After a match the next partner is asked for by itself, unless the reader is busy with the board.
let onward;
function count() {
  const form = document.getElementById("onward");
  if (!form) return (onward = undefined);
  onward ??= Date.now() + ONWARD;
  const busy = document.querySelector("details[open]");
  if (busy) onward = Date.now() + ONWARD;
  const left = Math.ceil((onward - Date.now()) / 1000);
  const shown = document.getElementById("onward-in");
  if (shown) shown.textContent = busy ? "" : ` in ${Math.max(0, left)} s`;
  if (left <= 0 && !leaving) {
    leaving = true;
    form.submit();
  }
}

// The form leads out of the board, so the board's script must not send it.
document.addEventListener("submit", (event) => {
  if (event.target.action.includes("/room/")) {
    leaving = true;
    event.stopPropagation();
  }
}, true);

// A puzzle of the same game for those who wait; it stays on this page, so that the match can open.
const meanwhile = document.getElementById("meanwhile");
async function puzzle(address) {
  try {
    const answer = await fetch(address, { headers: { Accept: "text/html" } });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const piece = page.getElementById("puzzle");
    const first = page.querySelector('a[href*="/puzzle?"]');
    if (!piece && first) return puzzle(first.getAttribute("href"));
    if (!piece) return;
    document.getElementById("puzzle").replaceWith(piece);
    document.getElementById("meanwhile-title").hidden = false;
  } catch {
    // No puzzle, then.
  }
}

if (meanwhile) {
  setTimeout(() => puzzle(meanwhile.dataset.puzzles), BORED);
  swapping("puzzle", () => history.replaceState(null, "", `/room/${room}`));
  meanwhile.addEventListener("click", (event) => {
    const link = event.target.closest(".onward a, a:not([data-swap])");
    if (!link || link.getAttribute("href").startsWith("#")) return;
    event.preventDefault();
    if (link.href.includes("/puzzle?")) puzzle(link.href);
  });
}

if ("unfinished" in place.dataset) {
  setInterval(async () => {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } }).catch(() => null);
    const fresh = answer && answer.ok && new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("place");
    if (fresh) morph(place, fresh);
  }, FOLLOW);
}

if (board) setInterval(count, 250);
addEventListener("pageshow", (event) => event.persisted && location.reload());
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible" && socket && socket.readyState === WebSocket.CLOSED) look();
});
setInterval(() => socket && socket.readyState === WebSocket.OPEN && socket.send('{"type":"ping"}'), PING);
open();
