// The teacher's desk, live: whenever something has happened, the page is fetched again and made like it.

import { morph } from "./morph.js";

const FIRST = 400;
const LONGEST = 5_000;
const PING = 15_000;
const SELDOM = 1_000; // milliseconds between two looks
const SLOW = 10_000;
const desk = document.getElementById("desk");

let socket;
let tries = 0;
let looked = 0;
let due = null;
let drawn = performance.now();

function look() {
  if (due !== null) return;
  due = setTimeout(async () => {
    looked = performance.now();
    try {
      const answer = await fetch(`/room/${desk.dataset.room}/desk`, { headers: { Accept: "text/html" } });
      if (answer.status === 410) return location.reload();
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("desk");
      const busy = document.activeElement && document.activeElement.matches("#desk input:not([readonly])");
      // A link that is shown once stays until the page is left.
      if (fresh && !busy && !desk.querySelector(".notice .share")) {
        morph(desk, fresh);
        drawn = performance.now();
      }
    } catch {
      // No connection: the live one tells when it is back.
    } finally {
      due = null;
    }
  }, Math.max(0, looked + SELDOM - performance.now()));
}

function open() {
  const address = new URL(`/api/v1/rooms/${desk.dataset.room}/live`, location.href);
  address.protocol = address.protocol.replace("http", "ws");
  socket = new WebSocket(address);
  socket.onopen = () => {
    tries = 0;
    look();
  };
  socket.onmessage = ({ data }) => {
    const { type, version } = JSON.parse(data);
    if (type === "room" && version > Number(desk.dataset.version)) look();
  };
  socket.onclose = () => setTimeout(open, Math.min(LONGEST, FIRST * 2 ** tries++) * (0.5 + Math.random() / 2));
}

function tick() {
  const time = desk.querySelector("time[data-left]");
  if (!time) return;
  const running = "ticking" in time.dataset ? performance.now() - drawn : 0;
  const left = Math.max(0, Math.ceil((time.dataset.left - running) / 1000));
  time.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
}

open();
setInterval(tick, 250);
setInterval(look, SLOW);
setInterval(() => socket.readyState === WebSocket.OPEN && socket.send('{"type":"ping"}'), PING);
