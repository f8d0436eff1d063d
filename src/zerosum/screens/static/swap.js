// Forms and links with `data-swap` fetch their page and put one piece of it into this one; without a script they load it.
const DOUBLE_TAP = 700; // milliseconds in which a second tap is still meant for what stood there before
const FINGER = 40; // pixels within which two taps have the same place
let asking = false;
let swapped = -DOUBLE_TAP;
let tapped = new DOMPoint();

// `id` names the piece; `put` gets each fresh one. The answer in it gets the focus.
export function swapping(id, put = () => {}) {
  async function swap(address, control, body) {
    if (asking) return;
    asking = true;
    control.setAttribute("aria-busy", "true");
    document.getElementById("lost").hidden = true;
    try {
      const answer = await fetch(address, { method: body ? "POST" : "GET", body, headers: { Accept: "text/html" } });
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
      const piece = fresh.getElementById(id);
      const place = body ? answer.url : address;
      if (piece) show(piece, fresh.title, place);
      else location.assign(place);
    } catch {
      document.getElementById("lost").hidden = false;
    }
    control.removeAttribute("aria-busy");
    asking = false;
  }

  function show(piece, title, address) {
    document.getElementById(id).replaceWith(piece);
    document.title = title;
    history.replaceState(null, "", new URL(address, location.href).href.replace(/#.*/, ""));
    put(piece);
    const said = document.getElementById("answer");
    said?.focus({ preventScroll: true });
    said?.scrollIntoView({ block: "nearest" });
    swapped = performance.now();
  }

  // The second tap of two falls on whatever has come under the finger; keys have no such place, and no detail.
  document.addEventListener("click", (event) => {
    const same = Math.hypot(event.clientX - tapped.x, event.clientY - tapped.y) < FINGER;
    tapped = event;
    if (!event.detail || !same || performance.now() - swapped > DOUBLE_TAP) return;
    event.preventDefault();
    event.stopPropagation();
  }, true);

  document.addEventListener("submit", (event) => {
    if (!event.target.matches("[data-swap]") || !event.submitter) return;
    event.preventDefault();
    const fields = new URLSearchParams([...new FormData(event.target), [event.submitter.name, event.submitter.value]]);
    const address = new URL(event.target.action);
    if (event.target.method === "post") return void swap(address.href, event.submitter, fields);
    address.search = fields;
    swap(address.href, event.submitter);
  });

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-swap]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    swap(link.href, link);
  });
}
