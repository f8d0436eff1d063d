// A page that could not be shown now is asked for again when the server says so.
const wait = Number(document.getElementById("again").dataset.wait);
setTimeout(() => location.reload(), wait * 1000);
