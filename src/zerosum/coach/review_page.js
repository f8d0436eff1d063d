"use strict";
const steps = [...document.querySelectorAll("#stage .step")];
const bars = [...document.querySelectorAll("svg g.step")];
const rows = [...document.querySelectorAll("tr[data-step]")];
const button = (id) => document.getElementById(id);
const last = steps.length - 1;
let now = steps.findIndex((one) => !one.hidden);

function show(step) {
  now = Math.max(0, Math.min(last, step));
  steps.forEach((one, n) => { one.hidden = n !== now; });
  for (const one of [...bars, ...rows]) one.classList.toggle("now", Number(one.dataset.step) === now);
  const box = document.getElementById("chart");
  box.scrollLeft = (box.scrollWidth * (now + 0.5)) / steps.length - box.clientWidth / 2;
  button("where").textContent = now + " of " + last;
  button("first").disabled = button("back").disabled = now === 0;
  button("next").disabled = button("last").disabled = now === last;
}

button("first").addEventListener("click", () => show(0));
button("back").addEventListener("click", () => show(now - 1));
button("next").addEventListener("click", () => show(now + 1));
button("last").addEventListener("click", () => show(last));
for (const one of [...bars, ...document.querySelectorAll("button[data-step]")]) {
  one.addEventListener("click", () => show(Number(one.dataset.step)));
}
document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const to = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: last }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  show(to);
});
const asked = /^#([0-9]{1,4})$/.exec(location.hash);
show(asked ? Number(asked[1]) : now);
