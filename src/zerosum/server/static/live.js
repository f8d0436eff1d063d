// The live connection of a table: it reconnects by itself, and asks by version for what it missed.

const FIRST = 400;
const LONGEST = 5_000;
const PING = 30_000;

export function live(table, since, hear, tell) {
  let socket;
  let tries = 0;
  let timer;

  function open() {
    clearTimeout(timer);
    const place = new URL(`/api/v1/tables/${table}/live?since=${since()}&states=false`, location.href);
    place.protocol = place.protocol.replace("http", "ws");
    socket = new WebSocket(place);
    socket.onopen = () => {
      tries = 0;
      tell(true);
    };
    socket.onmessage = ({ data }) => hear(JSON.parse(data));
    socket.onclose = () => {
      tell(false);
      const wait = Math.min(LONGEST, FIRST * 2 ** tries++);
      timer = setTimeout(open, wait * (0.5 + Math.random() / 2));
    };
  }

  function hurry() {
    if (document.visibilityState === "visible" && socket.readyState === WebSocket.CLOSED) open();
  }

  open();
  setInterval(() => socket.readyState === WebSocket.OPEN && socket.send('{"type":"ping"}'), PING);
  addEventListener("online", hurry);
  document.addEventListener("visibilitychange", hurry);
  return () => socket.readyState === WebSocket.OPEN;
}
