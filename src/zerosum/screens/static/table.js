// The page of a table, quicker: moves without a new page, others' moves as they happen. It knows no rules: every board
// comes from the server as HTML, and without this script the same forms and links do the same.

import { remember, restore } from "./focus.js";
import { onKey } from "./keys.js";
import { live } from "./live.js";
import { moment, tell as tellStreak, toggleSound } from "./moment.js";
import { morph } from "./morph.js";
import { seen, travel } from "./motion.js";
import { answer, preview } from "./preview.js";

const RETRY = [300, 700, 1500, 3000, 5000, 8000, 8000, 8000];
const PATIENCE = 1500; // milliseconds before a lost connection is worth a word
const READING = 35; // milliseconds for a letter of what the coach says before the computer replies
const LONGEST_READING = 4000;
const ABSENT = 7_000; // milliseconds after which who has left counts as away: a little more than the server waits
const TWICE = 700; // milliseconds within which a second tap on the same number is a slip
const FRAGMENT = { "X-Fragment": "board" };

const board = document.getElementById("board");
const news = document.getElementById("news");
const link = document.getElementById("link");
const site = document.title.slice(board.dataset.title.length);

let heard = 0; // the latest version announced
let sending = false;
let fetching = null; // the board being asked for
let wanted = null; // the query of the next one
let drawn = performance.now();
let settled = 0; // when the total has arrived
let silence = null;
let absence;
let tapped = {}; // the number last tapped, and when

const version = () => Number(board.dataset.version);
const pause = (time) => new Promise((done) => setTimeout(done, time));

// A hyphen before a number is often not read aloud; a minus sign is.
// Old tablets cannot read a pattern that looks behind, so what comes before the hyphen is put back.
const SIGN = /(^|[^\w])-(?=-?[0-9])/g;

// Who plays a computer and gave no name is you.
function personal(words) {
  const { called } = board.dataset;
  return called ? words.replace(`${called} plays`, "You play").replace(`${called} is to move.`, "It is your turn.") : words;
}

function say(words) {
  const line = document.createElement("p");
  line.textContent = personal(words).replace(SIGN, "$1\u2212").replace(/([+\u2212])-(?=[0-9])/g, "$1\u2212");
  news.append(line);
  while (news.childElementCount > 8) news.firstElementChild.remove();
}

function draw(html, again) {
  const fresh = new DOMParser().parseFromString(html, "text/html").getElementById("board");
  if (!fresh || Number(fresh.dataset.version) < version()) return;
  fresh.querySelector("#refused")?.removeAttribute("role"); // `send` says it, once
  // The same position again: keep showing what was refused there.
  const refused = document.getElementById("refused");
  if (again && refused && Number(fresh.dataset.version) === version()) {
    fresh.querySelector(`#${refused.parentElement.id}`)?.append(refused.cloneNode(true));
  }
  // The same question again has been there since it was first asked.
  const since = board.querySelector("[name=since]");
  const question = since && fresh.querySelector(`#${CSS.escape(since.closest(".question").id)}`);
  question?.querySelector("[name=since]").setAttribute("value", since.value);
  const before = seen(board);
  const over = board.dataset.moment;
  const place = remember(board);
  const told = comment();
  const newer = Number(fresh.dataset.version) > version();
  morph(board, fresh);
  drawn = performance.now();
  document.title = board.dataset.title + site;
  history.replaceState(null, "", location.pathname + board.dataset.query + location.hash);
  reveal();
  moment(board, over);
  if (newer) latest();
  const spoken = comment() && comment() !== told ? comment() : "";
  if (spoken) say(spoken);
  restore(board, place);
  settled = drawn + Math.max(travel(board, before), board.querySelector("[data-reply-due]") ? reading(spoken) : 0);
  tick();
}

// Asking for the board
function refresh(query) {
  wanted = query ?? wanted ?? "same";
  if (!sending) fetching ??= ask().finally(() => (fetching = null));
  return fetching;
}

async function ask() {
  while (wanted !== null && !sending) {
    const asked = drawn;
    const query = wanted === "same" ? board.dataset.query : wanted;
    wanted = null;
    try {
      const reply = await fetch(`/tables/${board.dataset.table}/board${query}`, { headers: FRAGMENT });
      const html = await reply.text();
      // One hop after the other: the answer to a move does not cut the move short.
      await pause(Math.max(0, settled - performance.now()));
      // What was sent or drawn in the meantime is newer, even if the table has not gone on.
      if (sending || drawn !== asked) wanted ??= "same";
      else if (reply.ok) draw(html, query === board.dataset.query);
    } catch {
      return; // The live connection is lost too, and tells when it is back.
    }
  }
}

async function follow(anchor) {
  const before = hints();
  await refresh(new URL(anchor.href).search);
  for (const line of hints().filter((one) => !before.includes(one))) say(line);
  document.getElementById("unsure")?.focus();
  document.getElementById("hints")?.scrollTo(0, 9999);
}

const reading = (words) => Math.min(LONGEST_READING, READING * words.length);

// What the coach says on its own; that it is silent is no news.
const comment = () => [...board.querySelectorAll("#comment p:not(.quiet)")].map((line) => line.textContent).join(" ");

const hints = () => [...board.querySelectorAll(".coach .said p")].map((line) => line.textContent);

// Sending a form: again, with the same move_id, until an answer comes
async function send(form, button) {
  if (sending) return;
  sending = true;
  const body = new URLSearchParams(new FormData(form));
  // While the coach is read, the reply is not shown yet; taking back goes behind it all the same.
  if (form.action.endsWith("/ask-undo") && board.querySelector("[data-reply-due]")) body.set("version", Math.max(heard, version()));
  if (button?.name) body.append(button.name, button.value);
  board.setAttribute("aria-busy", "true");
  button?.classList.add("pending");
  try {
    const reply = await insist(form.action, body);
    const html = await reply.text();
    const typed = form.querySelector("#typed");
    if (reply.headers.has("X-Fragment")) {
      if (typed && reply.ok) typed.value = "";
      draw(html);
      document.getElementById("unsure")?.focus();
      if (!reply.ok) say(document.getElementById("refused")?.textContent ?? "");
      else if (!linked()) say(board.dataset.said);
    } else {
      location.reload();
    }
  } catch {
    lost("Your move could not be sent. Reload the page to see how the table stands.");
  } finally {
    sending = false;
    board.removeAttribute("aria-busy");
    button?.classList.remove("pending");
    if (heard > version() || wanted !== null) refresh();
  }
}

async function insist(place, body) {
  for (const usual of RETRY) {
    let wait = usual;
    let words = "Connection lost. Sending your move again\u2026";
    try {
      const reply = await fetch(place, { method: "POST", body, headers: FRAGMENT });
      if (reply.status !== 503 && reply.status !== 429 && reply.status !== 502) {
        if (linked()) found();
        return reply;
      }
      const seconds = Number(reply.headers.get("Retry-After"));
      if (seconds) {
        wait = seconds * 1000;
        words = `The server is busy. Your move is sent again in ${seconds} s.`;
      }
    } catch {
      // No answer: the command may have been accepted, and then the same answer comes again.
    }
    lost(words);
    await pause(wait);
  }
  throw new Error("no answer");
}

// The live connection
function hear(message) {
  if (message.type === "event") {
    if (message.version > heard) say(message.event.words);
    heard = Math.max(heard, message.version);
  } else if (message.type === "state") {
    heard = Math.max(heard, message.version);
  }
  if (heard > version()) refresh();
  if (message.type === "presence" && "here" in board.dataset) meet(message.persons);
}

function meet(persons) {
  const others = Object.keys(persons).filter((one) => persons[one] && !board.dataset.you.split(" ").includes(one));
  if (others.join(" ") !== board.dataset.here) refresh();
  clearTimeout(absence);
  absence = setTimeout(() => refresh(), ABSENT);
}

function tell(up) {
  if (up) {
    clearTimeout(silence);
    silence = null;
    found();
  } else {
    // Every failed attempt calls this; patience is counted from the first.
    silence ??= setTimeout(() => lost("Connection lost. Reconnecting\u2026"), PATIENCE);
  }
}

function lost(words) {
  if (link.textContent === words && !link.hidden) return;
  link.textContent = words;
  link.hidden = false;
  say(words);
}

function found() {
  if (!link.hidden) {
    say("Connected again.");
    refresh();
  }
  link.hidden = true;
}

// Small comforts
function tick() {
  for (const time of board.querySelectorAll("time[data-left]")) {
    const running = "ticking" in time.dataset ? performance.now() - drawn : 0;
    const left = Math.max(0, Math.ceil((time.dataset.left - running) / 1000));
    const text = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    if (time.textContent !== text) time.textContent = text;
    time.classList.toggle("low", left < 20);
  }
}

function reveal() {
  for (const one of board.querySelectorAll("[data-copy], [data-script]")) one.hidden = false;
}

// With many moves, scroll to the latest.
function latest() {
  const list = board.querySelector(".scroll");
  if (list) list.scrollTop = list.scrollHeight;
}

board.addEventListener("submit", (event) => {
  if (event.target.method !== "post" || "leaves" in event.target.dataset) return;
  event.preventDefault();
  send(event.target, event.submitter);
});

// A double tap is one tap: whatever the first one has put there, the second does not touch.
board.addEventListener("click", (event) => {
  const tile = event.target.closest("#by-number .tile")?.id;
  const slip = tile && event.detail && tile === tapped.tile && event.timeStamp - tapped.at < TWICE; // no detail: a key
  tapped = { tile, at: event.timeStamp };
  if (!slip) return;
  event.preventDefault();
  event.stopPropagation();
}, true);

// A tap on a number that is gone gets an answer.
function gone(tile) {
  for (const other of board.querySelectorAll(".asked")) other.classList.remove("asked");
  tile.classList.add("asked");
  answer(tile.dataset.why);
  say(tile.dataset.why);
}

board.addEventListener("click", (event) => {
  const target = event.target.closest("a[data-board], [aria-disabled], [data-why], #sound");
  if (!target || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (target.id === "sound") toggleSound(board);
  else if (target.matches("[data-why]")) gone(target);
  else if (target.matches("[aria-disabled]")) say(target.title || document.getElementById("status").textContent);
  else {
    event.preventDefault();
    follow(target);
  }
});

document.addEventListener("keydown", (event) => onKey(event, board, gone));
preview(board);
addEventListener("pageshow", (event) => event.persisted && refresh());
setInterval(tick, 250);
reveal();
tellStreak(board);
latest();
heard = version();
const linked = live(board.dataset.table, () => Math.max(heard, version()), hear, tell);
