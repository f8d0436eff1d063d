// The end of a match: how many wins in a row, and a sound for who wants one. Both are kept in this browser alone.

const STREAK = "zerosum.wins";
const SOUND = "zerosum.sound";
const TUNES = { won: [523, 659, 784, 1047], lost: [330, 262], drawn: [523, 523], ended: [523, 659] }; // hertz
const NOTE = 0.16; // seconds

// A browser that keeps nothing is asked and told in vain.
function kept(name) {
  try {
    return JSON.parse(localStorage.getItem(name));
  } catch {
    return null;
  }
}

function keep(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // Then it lasts as long as this page.
  }
}

// A match that ended while it was looked at counts, once; a drawn series ends the row.
export function moment(board, before) {
  const { moment: now, table, match } = board.dataset;
  if (now && !before) {
    const id = `${table}/${match}`;
    const last = kept(STREAK);
    if (now !== "ended" && last?.match !== id) {
      keep(STREAK, { wins: now === "won" ? (last?.wins ?? 0) + 1 : 0, match: id });
    }
    if (kept(SOUND)) sing(TUNES[now]);
  }
  tell(board);
}

export function tell(board) {
  const wins = kept(STREAK)?.wins ?? 0;
  const streak = document.getElementById("streak");
  streak.textContent = `${wins} wins in a row`;
  streak.hidden = wins < 2 || board.dataset.moment !== "won";
  document.getElementById("sound")?.setAttribute("aria-pressed", String(Boolean(kept(SOUND))));
}

export function toggleSound(board) {
  keep(SOUND, !kept(SOUND));
  tell(board);
  if (kept(SOUND)) sing(TUNES.ended);
}

function sing(tune) {
  const audio = new AudioContext();
  tune.forEach((hertz, at) => {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    const begin = audio.currentTime + at * NOTE;
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(0.12, begin);
    volume.gain.exponentialRampToValueAtTime(0.001, begin + 2 * NOTE);
    tone.connect(volume).connect(audio.destination);
    tone.start(begin);
    tone.stop(begin + 2 * NOTE);
  });
  setTimeout(() => audio.close(), 1000 * NOTE * (tune.length + 3));
}
