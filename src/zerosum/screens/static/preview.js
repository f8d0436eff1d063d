// Where a number would land, while it is pointed at, focused or held; and short answers. All words come from the server.

const HELD = 350; // milliseconds after which a touch is a question, not a move

let timer;
let held = null; // the number whose coming click is no move

export function preview(board) {
  const press = (event) => event.target.closest?.(".press[data-at]");
  board.addEventListener("pointerover", (event) => {
    if (event.pointerType === "mouse") press(event) ? show(press(event)) : hide();
  });
  board.addEventListener("pointerleave", hide);
  board.addEventListener("focusin", (event) => {
    if (press(event)?.matches(":focus-visible")) show(press(event));
    else hide();
  });
  board.addEventListener("focusout", hide);
  board.addEventListener("pointerdown", (event) => {
    held = null;
    clearTimeout(timer);
    const one = press(event);
    if (one && event.pointerType !== "mouse") timer = setTimeout(() => show((held = one)), HELD);
  });
  for (const end of ["pointerup", "pointercancel"]) {
    board.addEventListener(end, () => {
      clearTimeout(timer);
      if (held) setTimeout(hide, 3 * HELD);
    });
  }
  board.addEventListener("contextmenu", (event) => held && event.preventDefault());
  board.addEventListener("click", refuse, true);
}

function refuse(event) {
  if (!held?.contains(event.target)) return;
  held = null;
  event.preventDefault();
  event.stopPropagation();
}

function show(press) {
  answer(`${press.getAttribute("aria-label")}. ${press.title}.`);
  const ghost = document.getElementById("ghost");
  ghost?.setAttribute("x", `${press.dataset.at}%`);
  ghost?.removeAttribute("hidden");
}

function hide() {
  document.getElementById("ghost")?.setAttribute("hidden", "");
  answer("");
}

export function answer(words) {
  const aside = document.getElementById("aside");
  aside.textContent = words;
  aside.hidden = !words;
}
