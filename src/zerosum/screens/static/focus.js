// Focus: it stays where it was, or goes to the nearest number, or to the headline; it is never lost.

export function remember(board) {
  const focus = document.activeElement;
  if (!board.contains(focus)) return null;
  const tile = focus.closest(".tile");
  return { id: focus.id, tile: tile ? [...tile.parentNode.children].indexOf(tile) : -1 };
}

export function restore(board, place) {
  if (!place || board.contains(document.activeElement)) return;
  const sure = document.getElementById("unsure");
  const same = place.id ? document.getElementById(place.id) : null;
  (sure ?? same ?? nearest(board, place.tile) ?? document.getElementById("status")).focus();
}

function nearest(board, at) {
  if (at < 0) return null;
  const tiles = [...board.querySelectorAll(".pool > .tile")];
  const free = tiles.map((tile, n) => [Math.abs(n - at), tile.querySelector(".press")]).filter(([, press]) => press);
  free.sort((one, other) => one[0] - other[0]);
  return free[0]?.[1] ?? null;
}
