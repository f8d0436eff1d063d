// Steps through a review without asking the server: all steps are on the page, and one of them is shown.
const stage = document.getElementById("stage");
const steps = [...stage.querySelectorAll(":scope > .step")];
const marked = [...document.querySelectorAll("svg g.step, tr[data-step]")];
const nav = { first: () => 0, back: () => now - 1, next: () => now + 1, last: () => last };
const last = steps.length - 1;
const within = (step) => Math.max(0, Math.min(last, step));
let now = steps.findIndex((one) => !one.hidden);

function show(step) {
  now = within(step);
  steps.forEach((one, n) => { one.hidden = n !== now; });
  for (const one of marked) one.classList.toggle("now", Number(one.dataset.step) === now);
  document.getElementById("where").textContent = `${now} of ${last}`;
  for (const [id, place] of Object.entries(nav)) point(document.getElementById(id), within(place()));
  center();
  if (location.pathname !== "/review") history.replaceState(null, "", addressed(location.href, now));
}

function point(control, step) {
  control.dataset.step = step;
  control.toggleAttribute("aria-disabled", step === now);
  if (step === now) control.setAttribute("aria-disabled", "true");
  if (control.href) control.href = `${addressed(control.href, step)}#stage`;
  else control.value = step;
}

function addressed(address, step) {
  const url = new URL(address);
  url.searchParams.set("step", step);
  url.hash = "";
  return url.href;
}

function center() {
  const box = document.getElementById("chart");
  box.scrollLeft = (box.scrollWidth * (now + 0.5)) / steps.length - box.clientWidth / 2;
}

document.addEventListener("click", (event) => {
  const control = event.target.closest("a[data-step], button[data-step], svg g[data-step]");
  if (!control || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  show(Number(control.dataset.step));
  if (!control.closest("#steps")) document.getElementById("steps").scrollIntoView({ block: "start" });
});

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (event.target.closest("input, textarea, select, .table-scroll:not(#chart)")) return;
  const to = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: last }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  show(to);
});

document.getElementById("keys").hidden = false;
center();
