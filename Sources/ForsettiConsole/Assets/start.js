// Looks after the scripts of the page, and is none of those modules: where one of them does not come, as when the console is
// started anew just then, none of them runs. The page says so, and is loaded again.

/** Milliseconds until then. */
const again = 1000;

addEventListener("error", (event) => {
  if (!(event.target instanceof HTMLScriptElement)) return;
  document.getElementById("loading").textContent = "A part of the page did not come. It is loaded again.";
  setTimeout(() => location.reload(), again);
}, true); // Such an error does not bubble.
