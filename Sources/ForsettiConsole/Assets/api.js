// Questions and orders to the console's own server, which passes them on to the supervisor.

let csrf = null;
let signedOut = () => {};

/** Called whenever there is no session any more. */
export function onSignedOut(action) {
  signedOut = action;
}

/** What went wrong, with the supervisor's own words. */
export class Failure extends Error {
  constructor(message, details, status) {
    super(message);
    this.details = details ?? [];
    this.status = status;
  }
}

async function read(response) {
  if (response.status === 204) return null;
  let body = null;
  try {
    body = await response.json();
  } catch {
    throw new Failure(`the console answered ${response.status} without a word`, [], response.status);
  }
  if (response.ok) return body;
  if (response.status === 401) {
    csrf = null;
    signedOut();
  }
  throw new Failure(body.error ?? "it did not work", body.details, response.status);
}

async function send(path, options) {
  let response;
  try {
    response = await fetch(path, { credentials: "same-origin", cache: "no-store", ...options });
  } catch {
    throw new Failure("the console does not answer; it is started again by the supervisor, if that runs", [], 0);
  }
  return read(response);
}

/** Asks; parameters become the query. */
export function get(path, parameters = {}) {
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value != null));
  return send(query.size ? `${path}?${query}` : path, {});
}

/** Orders. */
export const post = (path, body = {}) =>
  send(path, {
    method: "POST", body: JSON.stringify(body),
    headers: { "Content-Type": "application/json", ...(csrf ? { "X-Forsetti-CSRF": csrf } : {}) },
  });

/** Shows the token; the server sets a cookie that no script sees. */
export async function signIn(token) {
  csrf = (await post("/api/session", { token })).csrf;
}

/** Whether the cookie of an earlier visit still opens. */
export async function resume() {
  const response = await fetch("/api/session", { credentials: "same-origin", cache: "no-store" });
  if (!response.ok) return false;
  csrf = (await response.json()).csrf;
  return true;
}

/** Ends the session. */
export async function signOut() {
  await send("/api/session", { method: "DELETE", headers: { "X-Forsetti-CSRF": csrf ?? "" } });
  csrf = null;
}

/** Follows a stream of events until `close` is called on what comes back. */
export function follow(path, handlers) {
  const source = new EventSource(path);
  for (const [name, handler] of Object.entries(handlers)) {
    source.addEventListener(name, (event) => handler(event.data ? JSON.parse(event.data) : null));
  }
  return source;
}
