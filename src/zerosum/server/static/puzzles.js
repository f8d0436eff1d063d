// Puzzles: answers come without a page load, and what was solved is kept in this browser.
import { swapping } from "./swap.js";

const KEY = "zerosum.puzzles";
const MOST = 3; // points of a puzzle
const KEPT = 5000; // solved puzzles
const OVER = 100; // more than any tries and hints
const DAYS = 400; // puzzles of a day that were begun
const DAY = 86_400_000;
// The date when the page was opened: who is quick enough then may answer after midnight.
const today = document.querySelector(".streak")?.dataset.today;

function load() {
  try {
    const { solved, days, begun } = JSON.parse(localStorage.getItem(KEY));
    if (Array.isArray(days) && solved && typeof solved === "object") return { solved, days, begun: Object(begun) };
  } catch {
    // nothing kept yet, not ours, or not allowed
  }
  return { solved: {}, days: [], begun: {} };
}

function note(piece) {
  const points = Number(piece.dataset.points);
  const { solved, days, begun } = load();
  const { puzzle, day, again } = piece.dataset;
  if (day && (again || day in begun)) {
    // The puzzle of a day goes on where it was left, whatever address opens it.
    const kept = begun[day];
    const spent = Number(piece.dataset.spent) + ("over" in piece.dataset ? OVER : 0);
    if (kept && kept.again !== again && kept.spent >= spent) {
      location.replace(`${location.pathname}?${kept.again}`);
      return;
    }
    if (!kept || spent > kept.spent) begun[day] = { spent, again };
    for (const key of Object.keys(begun).slice(0, -DAYS)) delete begun[key];
  }
  if (points) {
    for (const key of day ? [puzzle, `daily ${day}`] : [puzzle]) solved[key] ??= points;
    for (const key of Object.keys(solved).slice(0, -KEPT)) delete solved[key];
    if (day && day === today && !days.includes(day)) days.push(day);
  }
  if (!points && !day) return;
  try {
    localStorage.setItem(KEY, JSON.stringify({ solved, days, begun }));
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
  return { now: numbers[numbers.length - 1] >= Date.parse(today) / DAY - 1 ? now : 0, best };
}

swapping("puzzle", (piece) => {
  note(piece);
  show();
});

addEventListener("storage", show);
addEventListener("pageshow", show);
const piece = document.getElementById("puzzle");
if (piece) note(piece);
show();
