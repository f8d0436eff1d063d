#!/usr/bin/env node
// A bot in JavaScript: any legal move, all equally likely. Try it: zerosum bot check "node bot.js"
"use strict";

let game = {};
let pool = [];
let before = null; // what the last number move added to a total; a ban looks at it
let rulesDue = 0; // lines of the rules that are still to come
let thinking = false;

const onlyAdds = () => game.operations.length === 1;

// Where a game only adds, the sign of a move is the number's own: -3 adds -3. Else it is the operation.
const numberOf = (move) => Number(onlyAdds() ? move : move.slice(1));
const amountOf = (move) => (!onlyAdds() && move[0] === "-" ? -numberOf(move) : numberOf(move));
const written = (number) => (number < 0 ? String(number) : `+${number}`);

function play(move) {
  if (move === "swap") return; // the players change seats; no number is taken
  pool.splice(pool.indexOf(numberOf(move)), 1);
  if (pool.length === 0) pool = [...game.pool]; // sudden death: the pool is filled again
  before = amountOf(move);
}

function position(words) {
  const at = words.indexOf("moves");
  const moves = at < 0 ? [] : words.slice(at + 1);
  pool = [...game.pool];
  before = null;
  if (words[0] === "fen") {
    pool = words[1] === "-" ? [] : words[1].split(",").map(Number);
    const previous = at === 5 || (at < 0 && words.length === 5) ? words[4].split(",")[0] : "-";
    if (previous !== "-") before = amountOf(previous);
  }
  moves.forEach(play);
}

function legalMoves() {
  const numbers = [...new Set(pool)];
  const moves = onlyAdds() ? numbers.map(written) : numbers.flatMap((number) => [`+${number}`, `-${number}`]);
  const allowed = moves.filter((move) => game.ban !== "mirror" || before === null || amountOf(move) !== -before);
  return allowed.length ? allowed : moves; // a ban that would forbid everything forbids nothing
}

const chances = () => legalMoves().map((move, _, all) => `${move}:${1 / all.length}`);
const choose = () => legalMoves()[Math.floor(Math.random() * legalMoves().length)];

function take(line) {
  const [word, ...rest] = line.trim().split(/\s+/);
  if (rulesDue > 0) {
    rulesDue -= 1;
    const [key, value] = line.split(/\s*=\s*(.*)/s);
    game[key] = JSON.parse(value); // the values that come are JSON too
  } else if (word === "ugi") console.log("id name JavaScript example\nid author zerosum\nugiok");
  else if (word === "isready") console.log("readyok");
  else if (word === "rules") [rulesDue, game] = [Number(rest[0]), {}];
  else if (word === "position") position(rest);
  else if (word === "go" && rest[0] === "infinite") thinking = true; // the answer waits for `stop`
  else if (word === "go") console.log(`bestmove ${choose()}`);
  else if (word === "policy") console.log(`policy ${chances().join(" ")}`);
  else if (word === "stop" && thinking) {
    thinking = false;
    console.log(`bestmove ${choose()}`);
  } else if (word === "quit") process.exit(0);
}

require("readline").createInterface({ input: process.stdin }).on("line", take);
