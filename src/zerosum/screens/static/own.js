// A custom game, checked while it is typed. The server reads the form or the text, finds what is wrong and who
// wins, and sends the form again as HTML; this script only sends and swaps. Without it, buttons do the same.

import { morph } from "./morph.js";

const PAUSE = 400; // milliseconds without a key before what was typed is sent
const WAIT = 1500; // milliseconds before a server is asked again that has been asked too often
const TEXT = "own-text";
const OURS = ["own-opponent", "own-first", "own-player", "own-both"]; // about the table, not the game

const form = document.getElementById("own");
let changes = 0; // how often something was changed
let from = null; // which side was changed last: read the text, write it from the form, or like another game
let timer;
let asking = null;

function change(side) {
  changes++;
  from = side;
  clearTimeout(timer);
  timer = setTimeout(check, side === "like" ? 0 : PAUSE);
}

// One question at a time: a hard game must not be asked about once for every key.
function check() {
  clearTimeout(timer);
  asking ??= ask().finally(() => { asking = null; });
  return asking;
}

async function ask() {
  let seen;
  do {
    seen = changes;
    const fields = new FormData(form);
    fields.set("do", from);
    const side = from;
    const answer = await fetch("/own/check", { method: "POST", body: new URLSearchParams(fields) }).catch(() => null);
    if (seen !== changes) continue;
    if (answer?.ok) show(await answer.text(), side);
    else complain();
    from = null;
  } while (seen !== changes);
}

function show(html, side) {
  const fresh = new DOMParser().parseFromString(html, "text/html").getElementById("own");
  if (!fresh) return;
  morph(form, fresh);
  for (const one of form.elements) if (filledIn(one, side)) reset(one);
  reveal();
}

function reveal() {
  for (const one of form.querySelectorAll("[data-copy]")) one.hidden = false;
}

// The server tries the games near this one a few at a time and says how far it is; typing on ends it.
async function makeEven() {
  if (from !== null) await check();
  const seen = changes;
  while (seen === changes) {
    const fields = new FormData(form);
    fields.set("do", "even");
    const answer = await fetch("/own/check", { method: "POST", body: new URLSearchParams(fields) }).catch(() => null);
    if (seen !== changes) return;
    if (answer?.status !== 429) {
      if (!answer?.ok) return complain();
      show(await answer.text(), "like");
    }
    const said = document.getElementById("evening");
    if (answer.ok && said?.dataset.going === undefined) return said?.focus();
    await new Promise((go) => { setTimeout(go, answer.ok ? Number(said.dataset.going) : WAIT); });
  }
}

// What the server has worked out from the other side; what is being typed stays as it is.
function filledIn(one, side) {
  if (OURS.includes(one.id)) return false;
  return side === "like" || (one.id === TEXT) === (side === "write");
}

function reset(one) {
  if (one.type === "checkbox") one.checked = one.defaultChecked;
  else if (one.options) one.value = [...one.options].find((option) => option.defaultSelected)?.value ?? one.value;
  else if (one.type !== "hidden" && "defaultValue" in one && one.value !== one.defaultValue) one.value = one.defaultValue;
}

function complain() {
  document.getElementById("own-verdict").textContent = "No answer: check your connection, or wait a moment.";
}

form.addEventListener("input", ({ target }) => {
  if (OURS.includes(target.id)) return;
  change(target.id === TEXT ? "read" : target.id === "own-like" ? "like" : "write");
});

// What was typed just before the button was pressed is checked first; a game with a flaw asks to be pressed again.
form.addEventListener("submit", async (event) => {
  if (event.submitter?.value === "even") {
    event.preventDefault();
    await makeEven();
    return;
  }
  if (event.submitter?.value !== "play" || from === null) return;
  event.preventDefault();
  const button = event.submitter;
  await check();
  if (from === null && !document.querySelector("#verdict[data-flaw], #verdict[data-wrong]")) form.requestSubmit(button);
  else document.getElementById("verdict").scrollIntoView({ block: "nearest" });
});

reveal();
document.documentElement.classList.add("scripted");
