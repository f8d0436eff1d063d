// What a page with a link to pass on can do: copy it, share it, and show a claim once it can be made.

if (navigator.share) document.documentElement.classList.add("shares");

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-share]");
  if (!button) return;
  const url = document.getElementById(button.dataset.share).value;
  try {
    await navigator.share({ title: document.title, text: button.dataset.words, url });
  } catch {
    // A person who closes the system's dialogue has changed their mind: nothing is wrong.
  }
});

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const field = document.getElementById(button.dataset.copy);
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    document.execCommand("copy");
  }
  button.textContent = "Copied";
  document.getElementById("news").append(Object.assign(document.createElement("p"), { textContent: "Copied." }));
});

// The server says in how many milliseconds a thing can be used; it appears then, and not before.
const due = new WeakMap();

setInterval(() => {
  for (const one of document.querySelectorAll("[data-appears]")) {
    const said = one.dataset.appears;
    if (due.get(one)?.said !== said) due.set(one, { said, at: performance.now() + Number(said) });
    if (performance.now() >= due.get(one).at) one.hidden = false;
  }
}, 500);
