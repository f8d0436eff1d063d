// Home: a tap on its board is answered without a page load, and each button says whom you have chosen.
import { swapping } from "./swap.js";

if (document.getElementById("try")) swapping("try");

const opponent = document.getElementById("opponent");
// As `whom` in new_table_form.py has it.
const name = () => opponent.selectedOptions[0].text.split(/[:,]/)[0].replace(/^./, (letter) => letter.toLowerCase());

function tell() {
  for (const one of document.querySelectorAll(".whom")) one.textContent = name();
}

opponent.addEventListener("change", tell);
addEventListener("pageshow", tell); // A browser that comes back may keep another choice than the server knows.
