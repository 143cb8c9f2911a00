// Short news at the foot of the page, which move nothing on it.

import { element, find } from "./dom.js";
import { icon } from "./icons.js";
import { t } from "./words.js";

/** How long news without an action stays, in milliseconds. */
const stay = 8000;
let timer;

/** Replaces what is said; `undo`, if there is one, takes it back, and stays until the next news. */
export function toast(text, undo) {
  clearTimeout(timer);
  const leave = (act) => () => {
    find("toast").replaceChildren();
    act();
  };
  const button = (attributes, act, content) =>
    element("button", { type: "button", ...attributes, click: leave(act) }, content);
  find("toast").replaceChildren(...(text === "" ? [] : [element("span", {}, text),
    undo === undefined ? null : button({}, undo, t("Undo")),
    button({ class: "close", "aria-label": t("Dismiss"), title: t("Dismiss") }, () => {}, icon("close")),
  ].filter((one) => one !== null)));
  if (undo === undefined) timer = setTimeout(() => find("toast").replaceChildren(), stay);
}
