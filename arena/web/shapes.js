// Where the places of a board are, by its shape: squares of side 1, from the top left.

/** Places of strips before a new line. */
const LONGEST_LINE = 10;

/**
 * The places by their keys as `{ x, y }`, the size, the names of rows and columns, and lines that are drawn below them. `turned` has
 * `flip` (the first row is below) and `swap` (rows and columns change places); other shapes than grids lie in one way.
 */
export function arrange(shape, turned) {
  const arranged = { places: new Map(), names: [], lines: [], width: 0, height: 0 };
  const make = { ring, rings, pits, stacks, lines }[shape.shape] ?? (shape.rows.length === 1 && shape.rows[0] === "" ? strip : grid);
  make(shape, turned, arranged);
  // Neighbours, where these are not plain.
  for (const [column, row, toColumn, toRow] of shape.links) {
    const [from, to] = [arranged.places.get(key(column, row)), arranged.places.get(key(toColumn, toRow))];
    if (from && to) arranged.lines.push([from.x + 0.5, from.y + 0.5, to.x + 0.5, to.y + 0.5]);
  }
  for (const [column, row, text] of shape.names) arranged.names.push({ text, at: key(column, row), of: "corner" });
  return arranged;
}

export const key = (column, row) => `${column},${row}`;

function grid(shape, turned, out) {
  const { columns, rows } = shape;
  const [across, down] = turned.swap ? [rows, columns] : [columns, rows];
  // Six neighbours: each row is half a place further than the one before.
  const hex = shape.shape === "hexagonal";
  const slant = hex ? shape.slant * (turned.flip ? -1 : 1) : 0;
  const shift = (y) => (slant >= 0 ? y : down.length - 1 - y) * Math.abs(slant) / 2;
  const step = hex ? 0.87 : 1;
  for (const y of down.keys()) {
    const index = turned.flip ? down.length - 1 - y : y;
    for (const x of across.keys()) {
      const at = turned.swap ? key(index, x) : key(x, index);
      out.places.set(at, { x: x + shift(y), y: y * step });
    }
    if (shape.names.length === 0) out.names.push({ text: down[index], x: shift(y) - 0.06, y: y * step + 0.5, of: "row" });
  }
  out.width = across.length + (hex ? (down.length - 1) / 2 : 0);
  out.height = (down.length - 1) * step + 1;
  for (const x of across.keys()) if (shape.names.length === 0) out.names.push({ text: across[x], x: x + 0.5 + shift(down.length - 1), y: out.height, of: "column" });
  // Thick lines between the boards that a board is made of.
  const [wide, high] = turned.swap ? [...shape.blocks].reverse() : shape.blocks;
  for (let x = wide; wide > 0 && x < across.length; x += wide) out.lines.push([x, 0, x, down.length]);
  for (let y = high; high > 0 && y < down.length; y += high) out.lines.push([0, y, across.length, y]);
}

/** Lines of several lengths, each in the middle. */
function lines(shape, turned, out) {
  const length = new Map();
  for (const [, row] of shape.names) length.set(row, (length.get(row) ?? 0) + 1);
  out.width = shape.columns.length;
  out.height = (shape.rows.length - 1) * 0.87 + 1;
  for (const [column, row] of shape.names) {
    const y = turned.flip ? shape.rows.length - 1 - row : row;
    out.places.set(key(column, row), { x: column + (out.width - length.get(row)) / 2, y: y * 0.87 });
  }
}

function strip(shape, turned, out) {
  const { columns } = shape;
  const lines = Math.ceil(columns.length / LONGEST_LINE);
  const length = Math.ceil(columns.length / lines);
  columns.forEach((text, column) => {
    const [x, y] = [column % length, Math.floor(column / length) * 1.45];
    out.places.set(key(column, 0), { x, y });
    out.names.push({ text, x: x + 0.5, y: y + 1, of: "column" });
  });
  out.width = length;
  out.height = (lines - 1) * 1.45 + 1;
}

/** Places around a circle. */
function ring(shape, turned, out) {
  const count = shape.columns.length;
  const radius = Math.max(1, 0.62 / Math.sin(Math.PI / count));
  out.width = out.height = 2 * radius + 1;
  shape.columns.forEach((text, column) => {
    const angle = (2 * Math.PI * column) / count;
    out.places.set(key(column, 0), { x: radius * (1 + Math.sin(angle)), y: radius * (1 - Math.cos(angle)) });
    out.names.push({ text, at: key(column, 0), of: "corner" });
  });
}

/** Rings one around the other: squares where they have four corners and middles. The longer side of the board goes around. */
function rings(shape, turned, out) {
  const isRow = shape.rows.length >= shape.columns.length;
  const [around, outward] = isRow ? [shape.rows, shape.columns] : [shape.columns, shape.rows];
  const [count, most] = [around.length, outward.length];
  const size = 2 * most + 1;
  out.width = out.height = size;
  const centre = (size - 1) / 2;
  // The north is above, and the east is to the right.
  const north = Math.max(0, around.findIndex((it) => ["n", "north"].includes(it)));
  const east = around.findIndex((it) => ["e", "east"].includes(it));
  const way = east >= 0 && (east - north + count) % count > count / 2 ? -1 : 1;
  const isInside = /inn|in$/.test(outward[0]) || /out/.test(outward.at(-1));
  for (const level of outward.keys()) {
    const radius = isInside ? level + 1 : most - level;
    for (const step of around.keys()) {
      const angle = (2 * Math.PI * way * (step - north)) / count;
      let [x, y] = [Math.sin(angle), -Math.cos(angle)];
      if (count === 8) [x, y] = [Math.round(x * 1.2), Math.round(y * 1.2)];
      out.places.set(isRow ? key(level, step) : key(step, level), { x: centre + x * radius, y: centre + y * radius });
    }
  }
}

/** Two lines of pits, as they are sown around. */
function pits(shape, turned, out) {
  const half = Math.ceil(shape.columns.length / 2);
  shape.columns.forEach((text, column) => {
    const isFirst = column < half;
    const x = isFirst ? column : half - 1 - (column - half);
    out.places.set(key(column, 0), { x, y: isFirst ? 1.45 : 0 });
    out.names.push({ text, x: x + 0.5, y: isFirst ? 2.45 : 1, of: "column" });
  });
  out.width = half;
  out.height = 2.45;
}

/** Things that lie on each other; where, the state says: see `stack`. */
function stacks(shape, turned, out) {
  const things = shape.columns.length - shape.bases.length;
  // Without sizes all of them may lie side by side.
  out.width = 1.6 * (shape.sizes.length > 0 ? Math.max(1, shape.bases.length) : Math.max(things, shape.bases.length));
  out.height = things * (shape.sizes.length > 0 ? 0.7 : 1) + (shape.bases.length > 0 ? 0.6 : 0);
  shape.columns.forEach((_, column) => out.places.set(key(column, 0), { x: 0, y: 0 }));
}

/** Where the things of stacks are: by thing, `{ x, y, wide, high }`. `on` has what each thing is on. */
export function stack(shape, on, height) {
  const number = new Map(shape.columns.map((text, column) => [text, column]));
  const below = new Map([...on].map(([column, text]) => [column, number.get(text)]));
  const isSized = shape.sizes.length > 0;
  const things = shape.columns.length - shape.bases.length;
  const found = new Map();
  const above = (column) => [...below].filter(([it, under]) => under === column && !found.has(it)).map(([it]) => it);
  // A thing with what is on it; the largest of several first, where they lie on one ground in order.
  const place = (column, x, y) => {
    const wide = isSized ? 0.5 + (0.95 * (shape.sizes[column] + 1)) / things : 1;
    const high = isSized ? 0.7 : 1;
    found.set(column, { x: x + (1.6 - wide) / 2, y: y - high, wide, high });
    return above(column).reduce((top, it) => Math.min(top, place(it, x, y - high)), y - high);
  };
  let x = 0;
  for (const base of shape.bases) {
    const own = above(base).sort((one, other) => (isSized ? shape.sizes[other] - shape.sizes[one] : 0));
    const side = isSized ? 1 : Math.max(1, own.length);
    found.set(base, { x: x + 0.05, y: height - 0.5, wide: 1.6 * side - 0.1, high: 0.5 });
    let y = height - 0.5;
    own.forEach((it, at) => {
      const top = place(it, x + (isSized ? 0 : 1.6 * at), y);
      if (isSized) y = top;
    });
    x += 1.6 * side;
  }
  // What is on nothing stands on the ground.
  for (const column of number.values()) {
    if (found.has(column) || below.has(column)) continue;
    place(column, x, height);
    x += 1.6;
  }
  return found;
}
