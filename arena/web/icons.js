// A small set of drawings, on a square of 24; and the words that they are drawn for.

const line = (path, width = 3) => `<path d="${path}" fill="none" stroke="currentColor" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`;
const shape = (path) => `<path d="${path}" fill="currentColor" fill-rule="evenodd"/>`;

const DRAWN = {
  cross: line("M5 5 19 19M19 5 5 19", 3.6),
  ring: `<circle cx="12" cy="12" r="7.4" fill="none" stroke="currentColor" stroke-width="3.6"/>`,
  star: shape("M12 2.5 14.7 9l7 .5-5.4 4.5 1.8 6.9L12 17.1 5.900 20.900 7.700 14 2.300 9.500l7-.5z"),
  triangle: shape("M12 4 21 20H3z"),
  arrow: line("M12 20V4M6 10l6-6 6 6"),
  wall: shape("M2 3h20v18H2zM4 5v3h7V5zM13 5v3h7V5zM4 10v4h3v-4zM9 10v4h7v-4zM18 10v4h2v-4zM4 16v3h7v-3zM13 16v3h7v-3z"),
  crate: shape("M3 3h18v18H3zM5.500 5.500v13h13v-13zM6 7.500 7.500 6 18 16.500 16.500 18zM16.500 6 18 7.500 7.500 18 6 16.500z"),
  car: shape("M3 15l2-6.500C5.400 7 6 6.500 7.500 6.500h9c1.500 0 2.100.5 2.500 2L21 15v4h-3v-2H6v2H3zM6.500 9 5.600 12.500h12.800L17.500 9z"),
  flag: shape("M5 2h2.500v1H20l-3.500 4L20 11H7.500v11H5z"),
  person: shape("M12 3a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM4 21c0-5.500 3.500-8.500 8-8.500s8 3 8 8.500z"),
  ghost: shape("M5 21V10a7 7 0 0 1 14 0v11l-2.400-2-2.300 2-2.300-2-2.300 2-2.300-2zM8 9v3h2.500V9zM13.500 9v3H16V9z"),
  bomb: shape("M10.500 7.500a7 7 0 1 1 0 14 7 7 0 0 1 0-14zM13 8l2-3.500 2.200 1.200 2.300-2.200 1.500 1.500-3 3-2-1-1 1.800z"),
  fire: shape("M12 2c1 4 6 6.500 6 12a6 6 0 0 1-12 0c0-3 1.500-4.500 2.500-6 .6 2 1.300 2.600 2.300 3C10.500 8 11 5 12 2z"),
  coin: shape("M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM12 5.500a6.500 6.500 0 1 0 0 13 6.500 6.500 0 0 0 0-13zM11 8h2v8h-2z"),
  door: shape("M5 21V3h14v18zM7.500 18.500h9v-13h-9zM13.500 11.500h2v2h-2z"),
  ship: shape("M12 2 20 21l-8-4.500L4 21z"),
  dot: `<circle cx="12" cy="12" r="3.500" fill="currentColor"/>`,
  key: shape("M8 7a5 5 0 1 1-1 9.900A5 5 0 0 1 8 7zM8 10a2 2 0 1 0 0 4 2 2 0 0 0 0-4zM12 10.800h10V15h-2.500v-1.700H17V15h-2.500v-1.700H12z"),
  sheep: shape("M7 8a3 3 0 0 1 5-1.500A3 3 0 0 1 17 8c3 .3 3 4.800.5 6v4H15v-3H9v3H6.500v-4C3.500 13 4 8.300 7 8zM18 6h3v3.500h-3z"),
  crown: shape("M3 18 2 7l5.500 4L12 4l4.500 7L22 7l-1 11z"),
};

const MEANT = {
  cross: "x cross ecks", ring: "o oh ring nought naught circle", star: "star", triangle: "triangle",
  arrow: "arrow bullet heading", wall: "wall brick rock stone_wall obstacle", crate: "crate box", car: "car racer truck vehicle", flag: "flag goal target",
  person: "person player man_at keeper explorer robot soldier bomberman bomberwoman rider hunter frog thief", ghost: "ghost mummy zombie monster blinky inky terrorist terrorist1 terrorist2 wolf",
  bomb: "bomb bomb0 bomb1 bomb2 bomb3 grenade mine", fire: "fire burnt blast burning", coin: "coin gold money treasure", door: "exit door gate", ship: "ship boat rocket",
  dot: "pellet point food dot", key: "key gun gun1 gun2", sheep: "sheep",
};
const BY_WORD = new Map(Object.entries(MEANT).flatMap(([icon, all]) => all.split(" ").map((it) => [it, icon])));
const DIRECTIONS = { n: 0, north: 0, up: 0, ne: 45, e: 90, east: 90, right: 90, se: 135, s: 180, south: 180, down: 180, sw: 225, w: 270, west: 270, left: 270, nw: 315 };

export const isIcon = (name) => Object.hasOwn(DRAWN, name);

/** The drawing for the words of a name, and how far it is turned; `null` where there is none. */
export function iconFor(all) {
  const found = all.map((it) => BY_WORD.get(it)).find((it) => it);
  if (!found) return null;
  const turn = found === "arrow" ? all.map((it) => DIRECTIONS[it]).find((it) => it !== undefined) : undefined;
  return { icon: found, turn: turn ?? 0 };
}

/** The element of a drawing. */
export function icon(name, turn = 0) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  element.setAttribute("viewBox", "0 0 24 24");
  element.setAttribute("aria-hidden", "true");
  if (turn) element.style.transform = `rotate(${turn}deg)`;
  element.innerHTML = DRAWN[name];
  return element;
}
