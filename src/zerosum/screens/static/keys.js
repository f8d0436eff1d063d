// Keys at the board: digits and signs go to a number, arrows go on to its neighbours; Enter or Space then plays it.

const FORGET = 900; // milliseconds after which typing starts again
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

let typed = "";
let last = 0;

// `gone` answers for a number that is not there any more.
export function onKey(event, board, gone) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, textarea, select")) return;
  if (event.target !== document.body && !board.contains(event.target)) return;
  const presses = [...board.querySelectorAll("#by-number .press, #by-number .taken a")];
  if (!presses.length) return;
  if (/^[0-9+\-\u2212]$/.test(event.key)) {
    const found = type(event.key.replace("\u2212", "-"), presses, event.timeStamp);
    if (found) go(found, event);
    else answer(board, gone);
  } else if (STEPS[event.key] && presses.includes(event.target)) {
    go(neighbour(event.target, presses, STEPS[event.key]), event);
  }
}

function type(key, presses, now) {
  typed = now - last > FORGET ? key : typed + key;
  last = now;
  const found = find(typed, presses) ?? find(key, presses) ?? turned(key, presses);
  if (found && !find(typed, presses)) typed = key;
  return found;
}

// What was typed may be a number that somebody has taken; where playing it would forfeit, Enter then asks.
function answer(board, gone) {
  const taken = [...board.querySelectorAll("#by-number .taken")];
  const wanted = (text) => taken.find((one) => one.dataset.moves.split(" ").some((move) => move === text || move === `+${text}`));
  const tile = wanted(typed) ?? wanted(typed.slice(-1));
  if (!tile) return;
  gone(tile);
  tile.querySelector("a")?.focus();
}

function find(text, presses) {
  const texts = [text, `+${text}`];
  // A sign may also follow the number: 5- is -5.
  if (/^[0-9]+[+-]$/.test(text)) texts.unshift(text.slice(-1) + text.slice(0, -1));
  return presses.find((one) => texts.includes(one.dataset.move));
}

function turned(sign, presses) {
  const here = document.activeElement?.dataset?.move;
  return here && /^[+-]$/.test(sign) ? presses.find((one) => one.dataset.move === sign + here.slice(1)) : undefined;
}

function neighbour(from, presses, [across, down]) {
  const place = (one) => {
    const box = one.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  };
  const [x, y] = place(from);
  let best = from;
  let least = Infinity;
  for (const one of presses) {
    const [dx, dy] = [place(one)[0] - x, place(one)[1] - y];
    const ahead = dx * across + dy * down;
    const aside = Math.abs(dx * down) + Math.abs(dy * across);
    const far = ahead + 3 * aside;
    if (one !== from && ahead > 4 && far < least) [best, least] = [one, far];
  }
  return best;
}

function go(press, event) {
  event.preventDefault();
  press.focus();
}
