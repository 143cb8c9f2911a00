// What stands below an answer that is over: how it ended, and what it took.

import { element } from "./dom.js";

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
    nodes.push(element("p", { class: "faint" }, words));
  }
  if (endings.has(message.finish)) nodes.push(element("p", { class: "cut" }, endings.get(message.finish)));
  if (message.refusal) nodes.push(element("p", { class: "faint" }, "The model refused."));
  const figures = figuresOf(message);
  if (figures !== "") nodes.push(element("p", { class: "figures" }, figures));
  return nodes;
}

function errorOf(message, does) {
  const { message: words, retryAfter, code } = message.error;
  const wait = retryAfter === null ? "" : ` Try again in ${retryAfter} s.`;
  const retry = element("button", { type: "button", click: () => does.retry(message) }, "Try again");
  if (code !== "too_long") {
    return element("div", { class: "error", role: "alert" }, element("p", {}, words + wait), retry);
  }
  const drop = element("button", { type: "button", click: () => does.dropOldest(message) },
    "Drop the oldest and try again");
  return element("div", { class: "error", role: "alert" },
    element("p", {}, element("strong", {}, "Too long: "), "the conversation is longer than the model can read."),
    element("p", { class: "words" }, words + wait), drop, " ", retry);
}

/** Such as "9 + 40 tokens · first after 0.21 s · 38.5 tokens/s · 1.3 s". */
function figuresOf({ usage, timing }) {
  const figures = [];
  const tokens = usage?.completion ?? null;
  if (tokens !== null) figures.push(`${usage.prompt === null ? "" : `${usage.prompt} + `}${tokens} tokens`);
  if (timing?.first != null) figures.push(`first after ${seconds(timing.first)}`);
  // What came at once has no speed.
  if (tokens > 1 && timing?.first != null && timing.total - timing.first > 50) {
    figures.push(`${((tokens - 1) / ((timing.total - timing.first) / 1000)).toFixed(1)} tokens/s`);
  }
  if (timing?.total != null) figures.push(seconds(timing.total));
  return figures.join(" · ");
}

const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 2 : 0)} s`;
