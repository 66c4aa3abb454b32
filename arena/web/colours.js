// The colours of roles and of what names say.

/** What a name says of a colour, in its words. */
const SAID = {
  white: "white", ivory: "white", light: "white", chalk: "white", snow: "white", pearl: "white",
  black: "black", sable: "black", dark: "black", ink: "black", ebony: "black", coal: "black",
  red: "red", crimson: "red", scarlet: "red", ruby: "red",
  blue: "blue", navy: "blue", azure: "blue", sapphire: "blue", indigo: "blue",
  green: "green", emerald: "green", olive: "green",
  yellow: "yellow", amber: "amber", gold: "yellow", golden: "yellow", ochre: "amber",
  orange: "orange", purple: "purple", violet: "purple", pink: "pink", rose: "pink",
  magenta: "magenta", brown: "brown", tan: "brown", grey: "grey", gray: "grey", silver: "grey",
  cyan: "cyan", turquoise: "teal", teal: "teal", sky: "sky", lime: "lime",
};
/** The colours of roles whose names say none. */
const ORDER = ["blue", "orange", "green", "purple", "teal", "pink", "brown", "grey"];

/** The words of a name: `whiteKing`, `white_king` and `(king white)` have the same. */
export const words = (text) => text.replace(/([a-z])([A-Z])/g, "$1 $2").split(/[\s()_-]+/).filter((it) => it !== "").map((it) => it.toLowerCase());

/** The colour that a name says, if it says one; also as its beginning: `reddisc`. */
export function named(text) {
  const all = words(text);
  const exact = all.find((it) => Object.hasOwn(SAID, it));
  if (exact) return SAID[exact];
  const begun = Object.keys(SAID).find((it) => it.length > 2 && all.some((word) => word.length > it.length + 2 && word.startsWith(it)));
  return begun && SAID[begun];
}

export const isColour = (word) => Object.hasOwn(SAID, word.toLowerCase());

/** The colour of each role, on all boards and beside them: the hint file's, the one that its name says, or its contents, or else the next in order. */
export function roleColours({ boards, roles, look }) {
  const owned = boards.flatMap((board) => board.contents.filter((it) => it.owner !== null));
  const own = (role) => owned.filter((it) => it.owner === role).map((it) => named(it.text));
  const said = roles.map((name, role) => {
    const hinted = look?.colours?.[name];
    if (hinted) return named(hinted) ?? "grey";
    const colours = own(role);
    return named(name) ?? (colours.length > 0 && colours.every((it) => it && it === colours[0]) ? colours[0] : undefined);
  });
  // Codes such as wp and bp say white and black.
  const codes = ["w", "b"].map((letter) => [...roles.keys()].find((role) => said[role] === undefined && own(role).length > 0
    && owned.filter((it) => it.owner === role).every((it) => it.text[0].toLowerCase() === letter && it.text.length === 2)));
  if (codes[0] !== undefined && codes[1] !== undefined) [said[codes[0]], said[codes[1]]] = ["white", "black"];
  const free = ORDER.filter((it) => !said.includes(it));
  return said.map((it) => it ?? free.shift() ?? "grey");
}
