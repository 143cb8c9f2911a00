// How to use a new key: addresses and commands with the key in them, each with a button that copies it.

import { copy } from "./clipboard.js";
import { element, find } from "./dom.js";
import { t } from "./words.js";

/** JSON for a shell's single quotes: names of models are an upstream's words. */
const inQuotes = (value) => JSON.stringify(value).replaceAll("'", "\\u0027");

/** Shows it; nothing is left of the key once `hideUse` was called. */
export function showUse(key) {
  const base = location.origin;
  const model = find("known-models").firstElementChild?.value ?? "MODEL";
  const ways = [
    ["Base URL", `${base}/v1`],
    ["Environment", [`export OPENAI_BASE_URL=${base}/v1`, `export OPENAI_API_KEY=${key}`,
      `export ANTHROPIC_BASE_URL=${base}`, `export ANTHROPIC_API_KEY=${key}`].join("\n")],
    ["curl", [`curl ${base}/v1/chat/completions -H 'Authorization: Bearer ${key}' \\`,
      "  -H 'Content-Type: application/json' \\",
      `  -d '${inQuotes({ model, messages: [{ role: "user", content: "Say hello." }] })}'`].join("\n")],
    ["An app, such as codex or zed", `HEADGATE_KEY=${key} headgate setup codex --url ${base} --write`],
  ];
  find("made-use").replaceChildren(...ways.map(([name, text]) => {
    const shown = element("pre", { tabindex: 0, role: "group", "aria-label": t(name) }, text);
    const button = element("button", { type: "button", click: () => copy(text, button, () => shown) }, t("Copy"));
    return element("div", {}, element("dt", {}, t(name)), element("dd", {}, shown, button));
  }));
}

export const hideUse = () => find("made-use").replaceChildren();
