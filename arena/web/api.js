// Asking the program.

/** Why something is not done; `check` has what a check finds in the description, and `text` the description if the page has it not. */
export class Refusal extends Error {
  constructor(message, status, check, text) {
    super(message);
    this.status = status;
    this.check = check;
    this.text = text;
  }
}

async function ask(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refusal("The program does not answer: is it still running?", 0);
  }
  const body = await response.json().catch(() => ({}));
  if (!response.ok) {
    throw new Refusal(body.error ?? `The program answered ${response.status}.`, response.status, body.check, body.text);
  }
  return body;
}

export const get = (path, signal) => ask(path, { signal });

export function post(path, body = {}, signal = undefined) {
  const headers = { "content-type": "application/json" };
  return ask(path, { method: "POST", headers, body: JSON.stringify(body), signal });
}

/**
 * Asks again and again for what has a version, and tells each new one, until the signal is given. While nobody looks at the
 * page it asks once a minute, so that a match goes on whose page is still open.
 */
export async function follow(path, signal, tell) {
  let version = null;
  while (!signal.aborted) {
    try {
      await visible(signal);
      const address = path();
      const mark = address.includes("?") ? "&" : "?";
      const news = await get(version === null ? address : `${address}${mark}version=${version}`, signal);
      if (signal.aborted) return;
      if (news.version !== version) {
        version = news.version;
        if ((await tell(news, null)) === "end") return;
      }
    } catch (error) {
      if (signal.aborted) return;
      await tell(null, error);
      if (error.status === 404) return;
      version = null;
      await new Promise((done) => setTimeout(done, 1500));
    }
  }
}

function visible(signal) {
  if (!document.hidden) return Promise.resolve();
  return new Promise((done) => {
    document.addEventListener("visibilitychange", done, { once: true });
    signal.addEventListener("abort", done, { once: true });
    setTimeout(done, 60_000);
  });
}
