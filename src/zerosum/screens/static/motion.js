// The total travels: it hops along the moves that were made since the board was last seen.

const HOP = 420; // milliseconds
const MOST = 4;
const SAMPLES = 8;

const still = matchMedia("(prefers-reduced-motion: reduce)");

export function seen(board) {
  const line = board.querySelector(".gauge svg");
  if (!line) return null;
  const places = {};
  for (const runner of line.querySelectorAll("[data-runner]")) places[runner.dataset.runner] = middle(runner);
  return { hops: Number(line.dataset.hops), places };
}

// Returns how many milliseconds the total will travel.
export function travel(board, before) {
  const line = board.querySelector(".gauge svg");
  if (!line || !before || still.matches || document.hidden) return 0;
  const fresh = [...line.querySelectorAll("[data-hop]")].filter((hop) => Number(hop.dataset.hop) > before.hops);
  fresh.sort((one, other) => one.dataset.hop - other.dataset.hop);
  const hopping = fresh.length && fresh.length <= MOST;
  for (const runner of line.querySelectorAll("[data-runner]")) {
    const name = runner.dataset.runner;
    if (hopping) hop(runner, fresh, name, line.getBoundingClientRect().width / 100);
    else slide(runner, before.places[name]);
  }
  if (hopping) fresh.forEach((one, at) => appear(one, at * HOP));
  return hopping ? fresh.length * HOP : 0;
}

function hop(runner, fresh, name, unit) {
  const frames = [];
  const mine = fresh.map((one, at) => ({ one, at })).filter(({ one }) => one.dataset.lane === name);
  if (!mine.length) return;
  const last = way(mine[mine.length - 1].one)[1];
  for (const { one, at } of mine) {
    const [from, to] = way(one);
    const height = one.getBBox ? Number(one.getAttribute("height")) * 0.75 : 0;
    for (let n = 0; n <= SAMPLES; n++) {
      const t = n / SAMPLES;
      const x = (from + (to - from) * ease(t) - last) * unit;
      const y = -4 * height * ease(t) * (1 - ease(t));
      frames.push({ offset: (at + t) / fresh.length, transform: `translate(${x}px, ${y}px)` });
    }
  }
  if (frames[0].offset > 0) frames.unshift({ ...frames[0], offset: 0 });
  const end = frames[frames.length - 1];
  if (end.offset < 1) frames.push({ ...end, offset: 1 });
  runner.animate(frames, { duration: HOP * fresh.length });
}

function way(one) {
  return one.dataset.way.split(" ").map(Number);
}

function ease(t) {
  return t * t * (3 - 2 * t);
}

function slide(runner, from) {
  const by = from === undefined ? 0 : from - middle(runner);
  if (Math.abs(by) > 1) runner.animate([{ transform: `translate(${by}px, 0)` }, { transform: "none" }], { duration: HOP, easing: "ease-in-out" });
}

function appear(one, delay) {
  one.animate([{ opacity: 0 }, { opacity: 1 }], { delay, duration: HOP, fill: "backwards" });
}

function middle(element) {
  const box = element.getBoundingClientRect();
  return box.left + box.width / 2;
}
