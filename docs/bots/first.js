let rules = {}, due = 0, pool = [];
const addsOnly = () => rules.operations.length === 1;
const signed = (number) => (number < 0 ? `${number}` : `+${number}`);
const any = (list) => list[Math.floor(Math.random() * list.length)];

require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const [word, ...rest] = line.trim().split(" ");
  if (due > 0) {
    due -= 1;
    const [key, value] = line.split(" = ");
    rules[key] = JSON.parse(value);
  } else if (word === "ugi") console.log("id name My bot\nugiok");
  else if (word === "isready") console.log("readyok");
  else if (word === "rules") due = Number(rest[0]);
  else if (word === "position") {
    pool = rest[0] === "fen" ? rest[1].split(",").map(Number) : [...rules.pool];
    const moves = rest.includes("moves") ? rest.slice(rest.indexOf("moves") + 1) : [];
    for (const move of moves) pool.splice(pool.indexOf(Number(addsOnly() ? move : move.slice(1))), 1);
  } else if (word === "go") console.log(`bestmove ${addsOnly() ? signed(any(pool)) : any(["+", "-"]) + any(pool)}`);
  else if (word === "quit") process.exit();
});
