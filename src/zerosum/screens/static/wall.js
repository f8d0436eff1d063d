// The wall of a room: the server sends the pieces that have changed, as HTML.

import { morph } from "./morph.js";

const FIRST = 400;
const LONGEST = 5_000;
const PING = 15_000;
const ROWS = 3; // of small boards
const STAYS = 6_000; // milliseconds that they stay
const wall = document.getElementById("wall");
const boards = document.getElementById("boards");

let socket;
let tries = 0;
let ends = performance.now() + Number(wall.dataset.left);

function piece(html) {
  return new DOMParser().parseFromString(html, "text/html").body;
}

function show({ pieces, boards: order }) {
  for (const [name, html] of Object.entries(pieces)) {
    if (name.startsWith("board-")) {
      const fresh = piece(html).firstElementChild;
      const old = document.getElementById(name);
      if (old) old.replaceWith(fresh);
      else boards.append(fresh);
    } else {
      const old = document.getElementById(name);
      const fresh = old.cloneNode(false);
      fresh.innerHTML = html;
      morph(old, fresh);
    }
  }
  const wanted = new Set(order);
  for (const one of [...boards.children]) if (!wanted.has(one.id)) one.remove();
  turn();
  tick();
}

// More boards than fit in letters that are read from afar take turns.
function turn() {
  const all = [...boards.children];
  const columns = getComputedStyle(boards).gridTemplateColumns.split(" ").length;
  const fit = Math.max(1, columns * ROWS);
  const sheets = Math.max(1, Math.ceil(all.length / fit));
  const sheet = Math.floor(performance.now() / STAYS) % sheets;
  all.forEach((one, n) => (one.hidden = Math.floor(n / fit) !== sheet));
}

function open() {
  const address = new URL(`/room/${wall.dataset.room}/wall/live`, location.href);
  address.protocol = address.protocol.replace("http", "ws");
  socket = new WebSocket(address);
  socket.onopen = () => (tries = 0);
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    if (message.type !== "wall") return;
    ends = performance.now() + message.left;
    show(message);
  };
  socket.onclose = ({ code }) => {
    if (code === 4410) return location.reload();
    setTimeout(open, Math.min(LONGEST, FIRST * 2 ** tries++) * (0.5 + Math.random() / 2));
  };
}

function tick() {
  const time = wall.querySelector("time[data-ends]");
  if (!time) return;
  const left = Math.max(0, Math.ceil((ends - performance.now()) / 1000));
  time.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
}

open();
tick();
turn();
setInterval(turn, 1_000);
setInterval(tick, 250);
setInterval(() => socket.readyState === WebSocket.OPEN && socket.send('{"type":"ping"}'), PING);
