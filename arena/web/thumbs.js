// Small pictures of the first states of games, drawn when they come into view.

import { get } from "./api.js";
import { Board, lie } from "./board.js";

/** Pictures that are known, by the name of the game. */
const known = new Map();

/** Draws the first state of a game into a place once it is seen. */
export function thumbnail(place, name, signal) {
  watcher(signal).observe(place);
  place.dataset.game = name;
}

let watching = null;

function watcher(signal) {
  if (watching && !watching.signal.aborted) return watching.observer;
  const seen = (entries) => entries.filter((it) => it.isIntersecting).forEach((it) => {
    watching.observer.unobserve(it.target);
    queue.push(it.target);
    next(signal);
  });
  const queue = [];
  let busy = false;
  // One after the other: a person may want to open a game meanwhile.
  const next = async () => {
    if (busy) return;
    busy = true;
    while (queue.length > 0 && !signal.aborted) await draw(queue.shift(), signal);
    busy = false;
  };
  watching = { signal, observer: new IntersectionObserver(seen, { rootMargin: "200px" }) };
  signal.addEventListener("abort", () => watching.observer.disconnect());
  return watching.observer;
}

async function draw(place, signal) {
  const name = place.dataset.game;
  let game = known.get(name);
  try {
    game ??= await get(`/api/pictures?name=${encodeURIComponent(name)}`, signal);
  } catch {
    // A game without a picture is one without a picture.
    return;
  }
  // What was asked for by a page that is left may be torn.
  if (signal.aborted || !game?.boards) return;
  known.set(name, game);
  const boards = game.boards.slice(0, 4).map((_, number) => new Board(game, number, lie(game)));
  boards.forEach((it) => it.update(game.first));
  place.replaceChildren(...boards.map((it) => it.element));
}
