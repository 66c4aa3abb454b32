// Making elements.

/** An element. Properties with `on` are listeners, `data-` and `aria-` and the like are attributes. */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name in element && !name.includes("-") && name !== "list") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((it) => it !== null && it !== undefined && it !== false));
  return element;
}

/** When the pointer was last let go, or null while it is down. */
let released = 0;
addEventListener("pointerdown", () => { released = null; }, true);
for (const name of ["pointerup", "pointercancel", "dragend", "blur"]) {
  addEventListener(name, () => { released = performance.now(); }, true);
}

/**
 * Waits, for two seconds at most, until no click is under way: what is replaced between press and click never gets the click. To be
 * called before anything is drawn anew that nobody has asked for.
 */
export async function settled() {
  const CLICK = 60;
  const until = performance.now() + 2000;
  while (performance.now() < until && (released === null || performance.now() - released < CLICK)) {
    await new Promise((done) => setTimeout(done, 20));
  }
}

/**
 * Shows items as the children of an element. The element of an item, known by `name`, stays what it is until the item changes, and a
 * new one in its place has the focus if the old one had it.
 */
export function renew(parent, items, name, make) {
  const old = new Map([...parent.children].map((it) => [it.dataset.name, it]));
  const elements = items.map((item) => {
    const known = old.get(String(name(item)));
    const state = JSON.stringify(item);
    if (known?.dataset.state === state) return known;
    const element = make(item);
    element.dataset.name = name(item);
    element.dataset.state = state;
    if (known?.contains(document.activeElement)) {
      const at = [...known.querySelectorAll("a, button")].indexOf(document.activeElement);
      requestAnimationFrame(() => element.querySelectorAll("a, button")[at]?.focus());
    }
    return element;
  });
  // What stays in its place is not moved.
  elements.forEach((it, at) => { if (parent.children[at] !== it) parent.insertBefore(it, parent.children[at] ?? null); });
  [...parent.children].slice(elements.length).forEach((it) => it.remove());
}

/** Tells those who do not see the page what has happened. */
export function announce(text) {
  const live = document.getElementById("live");
  if (live.textContent !== text) live.textContent = text;
}

/** A message about something that went wrong. */
export function trouble(error) {
  return h("p", { className: "trouble", role: "alert" }, error.message ?? String(error));
}

/** Seconds for people. */
export function seconds(value) {
  if (value < 0.0995) return `${Math.max(1, Math.round(value * 1000))} ms`;
  return value < 9.95 ? `${value.toFixed(1)} s` : `${Math.round(value)} s`;
}

/** A count for people. */
export function count(value) {
  return value >= 1e6 ? `${(value / 1e6).toFixed(1)} M` : value.toLocaleString("en");
}
