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
