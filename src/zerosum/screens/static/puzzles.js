// Puzzles: answers come without a page load, and what was solved is kept in this browser.
import { swapping } from "./swap.js";

const KEY = "zerosum.puzzles";
const MOST = 3; // points of a puzzle
const KEPT = 5000; // solved puzzles
const DAY = 86_400_000;

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
  solved[piece.dataset.puzzle] ??= points;
  for (const key of Object.keys(solved).slice(0, -KEPT)) delete solved[key];
  keep(solved, days);
}

function keep(solved, days) {
  try {
    localStorage.setItem(KEY, JSON.stringify({ solved, days }));
  } catch {
    // not allowed, or full: the puzzle is solved all the same
  }
}

function show() {
  const { solved, days } = load();
  for (const one of document.querySelectorAll("[data-copy]")) one.hidden = false;
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
  for (const one of document.querySelectorAll(".streak")) {
    const { now, best } = streak(joined(one.dataset, solved, days), one.dataset.today);
    const shown = one.querySelectorAll("b");
    shown[0].textContent = now;
    shown[1].textContent = Math.max(best, Number(shown[1].textContent));
    one.hidden = !Number(shown[1].textContent);
  }
}

// The server knows the last run of days; the days that earlier versions kept are here, and stay.
function joined({ last, run }, solved, days) {
  const found = new Set(days);
  for (let n = 0; n < Number(run); n += 1) found.add(new Date(Date.parse(last) - n * DAY).toISOString().slice(0, 10));
  if (found.size > days.length) keep(solved, [...found]);
  return [...found];
}

function tell(one, count, text) {
  one.hidden = !count;
  one.textContent = text;
}

function streak(days, today) {
  const numbers = days.map((day) => Date.parse(day) / DAY).filter(Number.isInteger).sort((a, b) => a - b);
  let now = 0;
  let best = 0;
  numbers.forEach((day, n) => {
    now = day - 1 === numbers[n - 1] ? now + 1 : 1;
    best = Math.max(best, now);
  });
  // Until today's is won, yesterday's still counts.
  return { now: numbers[numbers.length - 1] >= Date.parse(today) / DAY - 1 ? now : 0, best };
}

const piece = document.querySelector("#puzzle, #daily");
if (piece) {
  swapping(piece.id, (fresh) => {
    note(fresh);
    show();
  });
  note(piece);
}
addEventListener("storage", show);
addEventListener("pageshow", show);
show();
