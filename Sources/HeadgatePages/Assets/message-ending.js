// What stands below an answer that is over: how it ended.

import { element } from "./dom.js";
import { icon } from "./icons.js";
import { t } from "./words.js";

/** Ends that are none of the model's own. */
const endings = new Map([
  ["length", "Cut off: the limit of tokens was reached."],
  ["content_filter", "Cut off: a filter of the provider stopped the answer."],
  ["refusal", "The model refused to go on."],
]);

/** The nodes of it. `does.retry` and `does.dropOldest` are called when the reader wants a failed answer again. */
export function endingOf(message, does) {
  const nodes = [];
  if (message.error) nodes.push(errorOf(message, does));
  else if (message.stopped) {
    const words = message.content === "" && !message.refusal ? "Stopped before the first word." : "Stopped.";
    nodes.push(element("p", { class: "faint" }, t(words)));
  }
  if (endings.has(message.finish)) nodes.push(element("p", { class: "cut" }, t(endings.get(message.finish))));
  if (message.refusal) nodes.push(element("p", { class: "faint" }, t("The model refused.")));
  return nodes;
}

function errorOf(message, does) {
  const { message: words, retryAfter, code } = message.error;
  const wait = retryAfter === null ? "" : ` ${t("Try again in {count} s.", { count: retryAfter })}`;
  const retry = element("button", { type: "button", click: () => does.retry(message) },
    icon("again"), t("Try again"));
  if (code !== "too_long") {
    return element("div", { class: "error", role: "alert" }, element("p", {}, words + wait), retry);
  }
  const drop = element("button", { type: "button", click: () => does.dropOldest(message) },
    t("Drop the oldest and try again"));
  return element("div", { class: "error", role: "alert" },
    element("p", {}, element("strong", {}, t("Too long:")), " ",
      t("the conversation is longer than the model can read.")),
    element("p", { class: "words" }, words + wait), drop, " ", retry);
}
