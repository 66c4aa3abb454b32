// How what stands at a place is drawn: by the hint file of the game, by structure, by words.

import { isColour, named, roleColours, words } from "./colours.js";
import { h } from "./dom.js";
import { icon, iconFor, isIcon } from "./icons.js";

const CHESS = { king: "♚", queen: "♛", rook: "♜", bishop: "♝", knight: "♞", pawn: "♟" };
/** The same in outline, for what is light, in texts. */
const OUTLINE = { "♚": "♔", "♛": "♕", "♜": "♖", "♝": "♗", "♞": "♘", "♟": "♙" };
const CODES = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" };
/** Names of what has crossed a board of draughts. */
const CROWNED = ["king", "crowned", "dame"];
const SIDES = { north: "top", above: "top", south: "bottom", below: "bottom", west: "left", left: "left", east: "right", right: "right" };
/** So many pips are drawn; more are a number. */
const MOST_PIPS = 12;

/** For each content of a board how it is drawn: `kind` (`blank`, `stone`, `chess`, `icon`, `pips`, `fill`, `bar`, `text`), `label` and `colour`. */
export function pieces(board, game) {
  const colours = roleColours(game);
  const all = board.contents.filter((it) => it.text !== board.blank);
  const kinds = chessKinds(all);
  const drawn = new Map();
  if (board.blank !== null) drawn.set(board.blank, { kind: "blank", label: "", colour: null });
  for (const it of all) {
    const colour = it.owner !== null ? colours[it.owner] : named(it.text) ?? null;
    const hinted = hint(game.look?.pieces?.[it.text], colour);
    drawn.set(it.text, { ...(hinted ?? piece(it, board, colour, all, kinds, game.roles)), secondary: it.secondary });
  }
  return drawn;
}

/** What a hint file says: a drawing, a letter or a word, with a colour of its own. */
function hint(said, colour) {
  if (said === undefined) return null;
  const { draw = "", colour: own } = typeof said === "string" ? { draw: said } : said;
  const tint = own ? named(own) ?? "grey" : colour;
  if (draw === "nothing") return { kind: "blank", label: "", colour: null };
  if (draw === "disc" || draw === "crowned") return { kind: "stone", label: "", colour: tint ?? "grey", crowned: draw === "crowned" };
  if (draw === "fill") return { kind: "fill", label: "", colour: tint };
  if (Object.hasOwn(CHESS, draw)) return { kind: "chess", label: CHESS[draw], colour: tint };
  if (isIcon(draw)) return { kind: "icon", label: "", icon: draw, turn: 0, colour: tint };
  return { kind: "text", label: draw, colour: tint };
}

function piece(content, board, colour, all, kinds, roles) {
  const { text, owner } = content;
  const own = words(text);
  const number = quantity(text);
  const counts = board.quantities || (board.rows.length === 1 && owner === null && board.contents.every((it) => quantity(it.text) !== null) && board.shape !== "lines");
  if (counts && number !== null) {
    return number === 0 ? { kind: "blank", label: "", colour: null } : { kind: "pips", label: `${number}`, count: number, colour };
  }
  const chess = kinds?.get(text);
  if (chess) return { kind: "chess", label: CHESS[chess], colour: colour ?? "black" };
  const side = own.map((it) => it.replace(/^(blocked|wall)/, "")).map((it) => SIDES[it]).find((it) => it);
  const relation = own.includes("lt") ? "<" : own.includes("gt") ? ">" : "";
  if (content.secondary && side) return { kind: "bar", label: relation, side, colour };
  const known = iconFor(own);
  const alone = owner !== null && all.filter((it) => it.owner === owner && !it.secondary).length === 1;
  if (known && !(known.icon === "ring" && all.length < 3 && owner === null) && (owner === null || own.length === 1 || !isColour(own[0]))) return { kind: "icon", label: "", ...known, colour };
  if (owner !== null && !content.secondary) {
    const crowned = own.some((it) => CROWNED.includes(it)) || /^[a-z]k$/i.test(text);
    const family = all.filter((it) => it.owner === owner && !it.secondary);
    const isDraughts = family.length === 2 && family.filter((it) => CROWNED.some((crown) => words(it.text).includes(crown)) || /^[a-z]k$/i.test(it.text)).length === 1;
    if (alone || isDraughts) return { kind: "stone", label: "", colour, crowned: isDraughts && crowned };
    const bases = (them) => them.map((it) => base(it, all, roles));
    return { kind: "stone", label: short(base(content, all, roles), bases(family)), colour };
  }
  if (own.includes("hole")) return { kind: "fill", label: "", colour: null };
  // There is something or there is nothing: a mark on what else is there, or a filled place.
  if (content.bare && !content.piece && all.length > 1) return { kind: "fill", label: "", colour };
  const numbers = all.every((it) => quantity(it.text) !== null);
  if (all.length === 1 && !numbers) return { kind: "stone", label: "", colour: colour ?? "amber" };
  if (own.length === 1 && isColour(own[0])) return { kind: "stone", label: "", colour };
  return { kind: "text", label: text.length <= 6 ? text : short(text, all.map((it) => it.text)), colour };
}

/** The number that a content is: `7`, `s7`. */
function quantity(text) {
  const found = text.match(/^[a-z]?(\d+)$/i);
  return found ? Number(found[1]) : { zerocoins: 0, onecoin: 1, twocoins: 2 }[text] ?? null;
}

/** Which pieces of chess the contents are, in any of their spellings; `null` where they are none, or men of draughts and their kings. */
function chessKinds(all) {
  const main = all.filter((it) => !it.secondary);
  const spelt = (it) => words(it.text).map((word) => Object.keys(CHESS).find((kind) => word === kind || (word.length > kind.length && word.endsWith(kind) && isColour(word.slice(0, -kind.length))))).find((kind) => kind);
  const coded = (it) => (/^[wb][kqrbnp]$/i.test(it.text) ? CODES[it.text[1].toLowerCase()] : undefined);
  const letters = (it) => (/^[kqrbnp]$/i.test(it.text) ? CODES[it.text.toLowerCase()] : undefined);
  const cases = new Set(main.map((it) => it.text === it.text.toLowerCase()));
  const ways = [spelt, coded, ...(cases.size === 2 ? [letters] : []), (it) => (it.text === "q" ? "queen" : undefined)];
  for (const way of ways) {
    const found = new Map(main.map((it) => [it.text, way(it)]).filter(([, kind]) => kind));
    const kinds = new Set(found.values());
    const crowns = main.filter((it) => found.get(it.text) === "king");
    const isDraughts = [...kinds].every((it) => it === "pawn" || (it === "king" && crowns.every((king) => !king.first)));
    if (found.size > 0 && !isDraughts && (found.size * 2 >= main.length)) return found;
  }
  return null;
}

/** How a content is drawn that the board does not list. */
export function unlisted(text) {
  return { kind: "text", label: text.length <= 6 ? text : `${text.slice(0, 5)}…`, colour: null };
}

/** The element of a piece that is one of so many at its place. */
export function pieceElement(it, among = 1) {
  const colour = it.colour ? ` colour-${it.colour}` : "";
  const side = it.side ? ` at-${it.side}` : "";
  const element = h("span", { className: `piece ${it.kind}${colour}${side}${among > 1 ? " among" : ""}${it.corner ? " corner" : ""}`, "aria-hidden": "true" });
  if (it.kind === "icon") element.append(icon(it.icon, it.turn));
  else if (it.crowned) element.append(icon("crown"));
  else if (it.kind === "pips" && it.count <= MOST_PIPS) element.append(...Array.from({ length: it.count }, () => h("i", {})), h("b", {}, it.label));
  else element.append(it.kind === "chess" ? `${it.label}\ufe0e` : it.label);
  // Letters are as large as all of the label has room for.
  element.style.setProperty("--letters", Math.max(1, it.label.length));
  element.style.setProperty("--side", Math.ceil(Math.sqrt(among)));
  return element;
}

/** A piece in a line of text. */
export function pieceText(text, drawn) {
  if (!drawn || drawn.kind !== "chess") return text;
  return `${["white", "amber", "yellow", "sky"].includes(drawn.colour) ? OUTLINE[drawn.label] : drawn.label}\ufe0e`;
}

/** What tells a content from the others of its owner: without the owner's name and what all of them have in common. */
function base(content, all, roles) {
  const strip = (text) => {
    const left = text.split(/[\s()_-]+/).filter((it) => it !== "" && it !== roles[content.owner] && !isColour(it));
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
  const split = (it) => it.split(/[\s()_-]+/).filter((part) => part !== "");
  const [first, ...rest] = split(clean);
  if (rest.length > 0 && clean.length > 3) {
    // Two words: a letter of the second where the first does not tell.
    const family = others.map(split);
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
