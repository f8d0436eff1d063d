// Puzzles: answers come without a page load, and what was solved is kept in this browser.
const KEY = "zerosum.puzzles";
const MOST = 3; // points of a puzzle
const KEPT = 5000; // solved puzzles
const DOUBLE_TAP = 700; // milliseconds in which a second tap is still meant for what stood there before
const DAY = 86_400_000;
// The date when the page was opened: who is quick enough then may answer after midnight.
const today = document.querySelector(".streak")?.dataset.today;
let asking = false;
let swapped = -DOUBLE_TAP;

function load() {
  try {
    const { solved, days } = JSON.parse(localStorage.getItem(KEY));
    if (Array.isArray(days) && solved && typeof solved === "object") return { solved, days };
  } catch {
    // nothing kept yet, not ours, or not allowed
  }
  return { solved: {}, days: [] };
}

function note(piece) {
  const points = Number(piece.dataset.points);
  if (!points) return;
  const { solved, days } = load();
  const { puzzle, day } = piece.dataset;
  for (const key of day ? [puzzle, `daily ${day}`] : [puzzle]) solved[key] ??= points;
  for (const key of Object.keys(solved).slice(0, -KEPT)) delete solved[key];
  if (day && day === today && !days.includes(day)) days.push(day);
  try {
    localStorage.setItem(KEY, JSON.stringify({ solved, days }));
  } catch {
    // not allowed, or full: the puzzle is solved all the same
  }
}

function show() {
  const { solved, days } = load();
  for (const mark of document.querySelectorAll("[data-done]")) {
    const points = Math.min(MOST, Number(solved[mark.dataset.done]) || 0);
    mark.hidden = !points;
    mark.textContent = points ? `✓ ${"★".repeat(points)}` : "";
    mark.setAttribute("role", "img");
    mark.setAttribute("aria-label", `Solved, ${points} of ${MOST} points`);
  }
  const marked = document.querySelectorAll(".puzzles [data-done]:not([hidden])").length;
  for (const one of document.querySelectorAll("[data-tally]")) tell(one, marked, `${marked} of ${one.dataset.tally} solved`);
  for (const one of document.querySelectorAll("[data-game]")) {
    const count = Object.keys(solved).filter((key) => key.startsWith(`${one.dataset.game} `)).length;
    tell(one, count, `${count} solved`);
  }
  const { now, best } = streak(days);
  for (const one of document.querySelectorAll(".streak")) {
    one.hidden = !best;
    [now, best].forEach((count, n) => { one.querySelectorAll("b")[n].textContent = count; });
  }
}

function tell(one, count, text) {
  one.hidden = !count;
  one.textContent = text;
}

function streak(days) {
  const numbers = days.map((day) => Date.parse(day) / DAY).filter(Number.isInteger).sort((a, b) => a - b);
  let now = 0;
  let best = 0;
  numbers.forEach((day, n) => {
    now = day - 1 === numbers[n - 1] ? now + 1 : 1;
    best = Math.max(best, now);
  });
  // Until today's is solved, yesterday's still counts.
  return { now: numbers.at(-1) >= Date.parse(today) / DAY - 1 ? now : 0, best };
}

async function swap(address, control) {
  if (asking) return;
  asking = true;
  control.setAttribute("aria-busy", "true");
  document.getElementById("lost").hidden = true;
  try {
    const answer = await fetch(address, { headers: { Accept: "text/html" } });
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    const piece = fresh.getElementById("puzzle");
    if (piece) put(piece, fresh.title, address);
    else location.assign(address);
  } catch {
    document.getElementById("lost").hidden = false;
  }
  control.removeAttribute("aria-busy");
  asking = false;
}

function put(piece, title, address) {
  document.getElementById("puzzle").replaceWith(piece);
  document.title = title;
  history.replaceState(null, "", new URL(address, location.href).href.replace(/#.*/, ""));
  note(piece);
  show();
  const said = document.getElementById("answer");
  said?.focus({ preventScroll: true });
  said?.scrollIntoView({ block: "nearest" });
  swapped = performance.now();
}

// The second tap of two falls on whatever has come under the finger; keys have no such place, and no detail.
document.addEventListener("click", (event) => {
  if (!event.detail || performance.now() - swapped > DOUBLE_TAP) return;
  event.preventDefault();
  event.stopPropagation();
}, true);

document.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-swap]") || !event.submitter) return;
  event.preventDefault();
  const address = new URL(event.target.action);
  address.search = new URLSearchParams([...new FormData(event.target), [event.submitter.name, event.submitter.value]]);
  swap(address.href, event.submitter);
});

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-swap]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  swap(link.href, link);
});

addEventListener("storage", show);
addEventListener("pageshow", show);
const piece = document.getElementById("puzzle");
if (piece) note(piece);
show();
