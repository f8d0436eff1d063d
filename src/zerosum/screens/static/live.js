// The live connection of a table: it reconnects by itself, and asks by version for what it missed. Of a network that is
// silently gone the browser hears nothing for minutes, so it is asked for an answer every other second.

const FIRST = 400;
const LONGEST = 5_000;
const PING = 2_000;
const PONG = 1_000; // milliseconds after which a missing answer is silence
const DEAD = 10_000; // milliseconds of silence after which the connection is made anew

export function live(table, since, hear, tell) {
  let socket;
  let tries = 0;
  let timer;
  let due; // when an answer is late
  let silent = 0; // since when none has come

  function heard() {
    clearTimeout(due);
    due = undefined;
    if (silent) tell(true);
    silent = 0;
  }

  function missing() {
    silent ||= performance.now();
    tell(false);
  }

  function ask() {
    if (socket.readyState !== WebSocket.OPEN || document.visibilityState !== "visible") return;
    if (silent && performance.now() - silent > DEAD) socket.close();
    else socket.send('{"type":"ping"}');
    due ??= setTimeout(missing, PONG);
  }

  function open() {
    clearTimeout(timer);
    const place = new URL(`/api/v1/tables/${table}/live?since=${since()}&states=false`, location.href);
    place.protocol = place.protocol.replace("http", "ws");
    socket = new WebSocket(place);
    socket.onopen = () => {
      tries = 0;
      tell(true);
    };
    socket.onmessage = ({ data }) => {
      heard();
      hear(JSON.parse(data));
    };
    socket.onclose = () => {
      heard();
      tell(false);
      const wait = Math.min(LONGEST, FIRST * 2 ** tries++);
      timer = setTimeout(open, wait * (0.5 + Math.random() / 2));
    };
  }

  function hurry() {
    if (document.visibilityState === "visible" && socket.readyState === WebSocket.CLOSED) open();
  }

  open();
  setInterval(ask, PING);
  addEventListener("offline", missing);
  addEventListener("online", hurry);
  document.addEventListener("visibilitychange", hurry);
  return () => socket.readyState === WebSocket.OPEN;
}
