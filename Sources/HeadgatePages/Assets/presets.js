// System prompts that the reader has given names to, kept in this browser.

const key = "headgate.presets";

/** `{name, text}` of each, by name. */
export function presets() {
  try {
    const list = JSON.parse(localStorage.getItem(key));
    return Array.isArray(list) ? list.filter(isPreset).map(({ name, text }) => ({ name, text })) : [];
  } catch {
    return [];
  }
}

const isPreset = (one) => typeof one?.name === "string" && one.name !== "" && typeof one.text === "string";

/** In place of one of the same name. Returns whether the browser keeps it. */
export function keepPreset(name, text) {
  const others = presets().filter((one) => one.name !== name);
  return keep([...others, { name, text }].sort((one, other) => one.name.localeCompare(other.name)));
}

export const forgetPreset = (name) => keep(presets().filter((one) => one.name !== name));

function keep(list) {
  try {
    localStorage.setItem(key, JSON.stringify(list));
    return true;
  } catch {
    return false;
  }
}

/** Calls back when another tab has changed them. */
export function onPresets(changed) {
  addEventListener("storage", (event) => {
    if (event.key === key || event.key === null) changed();
  });
}
