// What an answer took: tokens, money and time, in words behind one sign.

import { element } from "./dom.js";
import { dollars, whole } from "./figures.js";
import { icon } from "./icons.js";
import { priceOf } from "./model-facts.js";
import { listedModel } from "./models.js";
import { t } from "./words.js";

/** Null where nothing is known. */
export function figuresOf(message) {
  const lines = [sum(message), details(message)].filter((line) => line !== "");
  if (lines.length === 0) return null;
  return element("button", { type: "button", class: "figures", "aria-label": lines.join(". ") }, icon("info"),
    element("span", { class: "tip", "aria-hidden": "true" }, ...lines.map((line) => element("span", {}, line))));
}

/** Such as "204 tokens, ≈ $0.0021, 2.4 s". */
function sum({ model, usage, timing }) {
  const parts = [];
  if (usage?.completion != null) parts.push(t("{count} tokens", { count: whole(usage.completion) }));
  const price = priceOf(listedModel(model) ?? {});
  if (price !== null && usage?.completion != null && usage.prompt !== null) {
    // By the list's price: what a cache saved is not in it.
    const cost = usage.prompt * price.prompt + usage.completion * price.completion;
    parts.push(cost === 0 ? dollars(0) : `≈ ${dollars(cost)}`);
  }
  if (timing?.total != null) parts.push(seconds(timing.total));
  return parts.join(", ");
}

/** Such as "9 prompt tokens, first after 0.21 s, 38.5 tokens a second". */
function details({ usage, timing }) {
  const parts = [];
  const tokens = usage?.completion ?? null;
  if (usage?.prompt != null) parts.push(t("{count} prompt tokens", { count: whole(usage.prompt) }));
  if (timing?.first != null) parts.push(t("first after {time}", { time: seconds(timing.first) }));
  // What came at once has no speed.
  if (tokens > 1 && timing?.first != null && timing.total - timing.first > 50) {
    const speed = (tokens - 1) / ((timing.total - timing.first) / 1000);
    parts.push(t("{count} tokens a second", { count: speed.toFixed(1) }));
  }
  return parts.join(", ");
}

const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(milliseconds < 1000 ? 2 : 1)} s`;
