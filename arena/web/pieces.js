// How what stands at a place is drawn: found from the contents of the board and whose they are.

/** Colours that names may say. */
const NAMED = ["white", "black", "red", "blue", "green", "yellow", "orange", "purple", "pink", "magenta", "brown", "grey"];
/** The colours of roles whose names say none. */
const ORDER = ["white", "black", "red", "blue", "green", "yellow", "purple", "orange"];
/** The same where single letters are all that the roles have. */
const ORDER_OF_LETTERS = ["blue", "red", "green", "purple", "orange", "pink", "brown", "grey"];

const words = (text) => text.split(/[\s()_-]+/).filter((it) => it !== "");
const named = (text) => words(text.toLowerCase()).find((it) => NAMED.includes(it));

/** For each content of a board how it is drawn: `kind` (`blank`, `stone`, `mark`, `text`), `label` and `colour`. */
export function pieces(board, { boards, roles }) {
  const colours = roleColours(boards, roles);
  const all = board.contents.filter((it) => it.text !== board.blank);
  const drawn = new Map();
  if (board.blank !== null) drawn.set(board.blank, { kind: "blank", label: "", colour: null });
  const bases = new Map(all.map((it) => [it.text, base(it, all, roles)]));
  for (const it of all) {
    const alone = all.filter((other) => other.owner === it.owner).length === 1;
    if (it.owner !== null && alone && it.text.length > 1) {
      drawn.set(it.text, { kind: "stone", label: "", colour: colours[it.owner] });
    } else if (it.owner !== null) {
      const label = short(bases.get(it.text), all.filter((other) => other.owner === it.owner).map((other) => bases.get(other.text)));
      // Letters in white or black would not be seen on every ground: these stand on a disc.
      const isMark = alone && !["white", "black"].includes(colours[it.owner]);
      drawn.set(it.text, { kind: isMark ? "mark" : "stone", label, colour: colours[it.owner] });
    } else if (all.length === 1 && !/^-?\d+$/.test(it.text)) {
      // There is something or there is nothing.
      drawn.set(it.text, { kind: "stone", label: "", colour: named(it.text) ?? "yellow" });
    } else {
      const colour = named(it.text);
      const label = colour === it.text ? "" : it.text.length <= 6 ? it.text : short(it.text, all.map((other) => other.text));
      drawn.set(it.text, { kind: colour === it.text ? "stone" : "text", label, colour: colour ?? null });
    }
  }
  return drawn;
}

/** How a content is drawn that the board does not list. */
export function unlisted(text) {
  return { kind: "text", label: text.length <= 6 ? text : `${text.slice(0, 5)}…`, colour: null };
}

/** The colour of each role, on all boards and beside them: the one that its name says, or its contents, or else the next in order. */
export function roleColours(boards, roles) {
  const owned = boards.flatMap((board) => board.contents.filter((it) => it.owner !== null));
  const own = (role) => owned.filter((it) => it.owner === role).map((it) => named(it.text));
  const said = roles.map((name, role) => named(name) ?? (own(role).every((it) => it && it === own(role)[0]) ? own(role)[0] : undefined));
  const order = owned.length > 0 && owned.every((it) => it.text.length === 1) ? ORDER_OF_LETTERS : ORDER;
  const free = order.filter((it) => !said.includes(it));
  return said.map((it) => it ?? free.shift() ?? "grey");
}

/** What tells a content from the others of its owner: without the owner's name and what all of them have in common. */
function base(content, all, roles) {
  if (content.owner === null) return content.text;
  const strip = (text) => {
    const left = words(text).filter((it) => it !== roles[content.owner] && !NAMED.includes(it.toLowerCase()));
    return left.length > 0 ? left.join(" ") : text;
  };
  const family = all.filter((it) => it.owner === content.owner).map((it) => strip(it.text));
  const own = strip(content.text);
  if (family.length < 2) return own;
  const head = common(family);
  if (family.every((it) => it.length > head)) return own.slice(head);
  const tail = common(family.map((it) => [...it].reverse().join("")));
  return family.every((it) => it.length > tail) ? own.slice(0, own.length - tail) : own;
}

function common(texts) {
  let length = 0;
  while (texts.every((it) => it.length > length && it[length] === texts[0][length])) length++;
  return length;
}

/** The shortest beginning that no other has, of three letters at most; what goes on where another ends has a plus. */
function short(text, others) {
  const clean = text.trim();
  const [first, ...rest] = words(clean);
  if (rest.length > 0 && clean.length > 3) {
    // Two words: a letter of the second where the first does not tell.
    const family = others.map(words);
    const same = family.filter((it) => it[0] === first).map((it) => it.slice(1).join(" "));
    const label = short(first, family.map((it) => it[0]));
    return same.every((it) => it === rest.join(" ")) ? label : label + short(rest.join(" "), same).toLowerCase();
  }
  const stem = others.map((it) => it.trim()).find((it) => it.length > 1 && it.length < clean.length && clean.startsWith(it));
  if (stem) return `${short(stem, others)}+`;
  if (clean.length <= 1) return others.length > 1 ? clean.toUpperCase() : clean;
  for (let length = 1; length <= 3; length++) {
    const start = clean.slice(0, length).toLowerCase();
    if (others.every((it) => it.trim().startsWith(clean) || !it.trim().toLowerCase().startsWith(start))) {
      return start[0].toUpperCase() + start.slice(1);
    }
  }
  return clean.slice(0, 3);
}
