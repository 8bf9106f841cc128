// The console: signs in, follows the supervisor's figures, and shows the page that the fragment names.

import { el, replace, stateBadge, notify } from "./dom.js";
import { follow, onSignedOut, resume, signIn, signOut } from "./api.js";
import { showFailure, showLoading, showSignIn } from "./boot.js";
import { Figures } from "./figures.js";
import { dashboard } from "./dashboard.js";
import { modulePage } from "./module.js";
import { surfacePage } from "./surface.js";
import { secretsPage } from "./secrets.js";
import { eventsPage, entitlementsPage, logPage } from "./feeds.js";

/** Milliseconds until a stream that was refused is asked for again. */
const again = 1000;

const main = document.getElementById("main");
const bar = document.getElementById("bar");
const figures = new Figures();
let live = null;
let restart = null; // The timer of a new stream.
let shown = null; // { path, page }: a page has `close`, and `update` where it follows the figures.
let state = null;

const pages = [
  { path: "/", title: "Dashboard", make: dashboard },
  { path: "/surface", title: "Surface", make: surfacePage },
  { path: "/events", title: "Events", make: eventsPage },
  { path: "/log", title: "Log", make: logPage },
  { path: "/secrets", title: "Secrets", make: secretsPage },
  { path: "/entitlements", title: "Entitlements", make: entitlementsPage },
];

const currentPath = () => (location.hash.startsWith("#/") ? decodeURIComponent(location.hash.slice(1)) : "/");

function drawNavigation(path) {
  replace(document.getElementById("nav"),
    pages.map((page) =>
      el("a", { href: `#${page.path}`, "aria-current": page.path === path ? "page" : null }, page.title)));
}

function closePage() {
  shown?.page?.close?.();
  shown = null;
}

/** Shows what the fragment names, once the supervisor is ready. */
function show() {
  if (!live || state !== "ready") return;
  const path = currentPath();
  if (shown?.path === path) return;
  closePage();
  drawNavigation(path);
  const module = path.match(/^\/modules\/([A-Za-z0-9.-]+)$/);
  const page = pages.find((candidate) => candidate.path === path);
  document.title = `${module ? module[1] : page?.title ?? "Not found"} – Forsetti`;
  if (module) shown = { path, page: modulePage(main, figures, module[1]) };
  else if (page) shown = { path, page: page.make(main, figures) };
  else {
    shown = { path, page: null };
    replace(main, el("section", { class: "alone" }, el("h1", {}, "There is no such page"), el("a", { href: "#/" }, "Dashboard")));
  }
}

function setState(next) {
  if (next === state) return;
  state = next;
  replace(document.getElementById("state"), stateBadge(state));
  if (state === "ready") return show();
  closePage();
  if (state === "failed") showFailure(main, () => {
    // A boot that fails again within a second is shown again.
    state = null;
  });
  else showLoading(main, "Booting", "Modules are checked, locked and started one after the other.");
}

function start() {
  bar.hidden = false;
  state = null;
  drawNavigation(currentPath());
  hush();
  if (!shown) showLoading(main, "Asking the supervisor", "Its first figures are on the way.");
  live = follow("/api/live", {
    figures: (message) => {
      figures.take(message);
      setState(message.state);
      shown?.page?.update?.();
    },
    lost: (message) => {
      figures.clear();
      state = null;
      closePage();
      showLoading(main, "Waiting for the supervisor", message.error);
    },
    error: async () => {
      // The browser tries again by itself, unless it was sent away: then the session is over, or there was no room for one
      // more stream, which passes.
      if (live?.readyState !== EventSource.CLOSED || restart) return;
      if (!(await resume().catch(() => true))) leave();
      else if (live && !document.hidden) restart ??= setTimeout(start, again);
    },
  });
}

/** Ends the stream of figures. */
function hush() {
  clearTimeout(restart);
  restart = null;
  live?.close();
  live = null;
}

function leave(message) {
  hush();
  closePage();
  bar.hidden = true;
  document.title = "Sign in – Forsetti";
  showSignIn(main, async (token) => {
    await signIn(token);
    start();
  }, message);
}

document.getElementById("leave").addEventListener("click", async () => {
  try {
    await signOut();
  } catch (failure) {
    notify(failure.message, "error");
  }
  leave();
});

async function enter() {
  const token = location.hash.match(/^#([0-9a-f]{32})$/)?.[1];
  if (token) {
    // Out of the address and the history before anything else.
    history.replaceState(null, "", "/");
    try {
      await signIn(token);
      return start();
    } catch (failure) {
      return leave(failure.message);
    }
  }
  (await resume().catch(() => false)) ? start() : leave();
}

onSignedOut(() => leave("The session is over."));
addEventListener("hashchange", () => (/^#[0-9a-f]{32}$/.test(location.hash) ? enter() : show()));
// A page in the background needs no figures, and browsers open few connections to one host.
document.addEventListener("visibilitychange", () => {
  if (!live) return;
  if (document.hidden) live.close();
  else if (live.readyState === EventSource.CLOSED) start();
});
enter();
