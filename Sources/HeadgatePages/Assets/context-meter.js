// How much of the model's context the next request takes.

import { ask } from "./access.js";
import { lineOf } from "./branches.js";
import { find } from "./dom.js";
import { listedModel } from "./models.js";
import { locale, t } from "./words.js";

/** What the gateway knows of its models' contexts, in tokens, by name; null where it does not. */
const windows = new Map();

/** Rough, and said to be: no page knows every model's tokens. */
const tokensIn = (text) => Math.ceil(text.length / 4);
const tokensOfFile = ({ type, size }) =>
  (type.startsWith("image/") ? 1000 : Math.ceil(size / (type === "application/pdf" ? 45 : 4)));

/** Shows it for what would be sent now. `again` is called when the context becomes known. */
export function showContext(conversation, model, draft, again) {
  const { tokens, isCounted } = tokensOf(conversation, draft);
  const window = conversation.settings.window ?? windowOf(model, again);
  const meter = find("context");
  meter.hidden = tokens === 0;
  const amount = `${isCounted ? "" : "≈ "}${number(tokens)}`;
  find("context-text").textContent = window === null ? t("{amount} tokens so far", { amount })
    : t("{amount} of {all} tokens ({part} %)",
      { amount, all: number(window), part: Math.round((tokens / window) * 100) });
  find("context-meter").hidden = window === null;
  if (window === null) return;
  const bounds = { max: window, low: window * 0.75, high: window * 0.9, optimum: 0 };
  Object.assign(find("context-meter"), bounds, { value: tokens });
  meter.classList.toggle("full", tokens > window * 0.9);
}

/** What the last answer counted, and an estimate of what has come since; `isCounted` where nothing is estimated. */
function tokensOf(conversation, draft) {
  const line = lineOf(conversation);
  const start = Math.max(0, line.findIndex(({ id }) => id === conversation.start));
  const counted = line.findLastIndex(({ usage }) => usage?.prompt != null && usage.completion != null);
  const isUsable = counted > start;
  const rest = line.slice(isUsable ? counted + 1 : start);
  const texts = [...rest.map(({ content }) => content), draft, isUsable ? "" : conversation.instructions];
  const files = rest.flatMap(({ attachments = [] }) => attachments).map(tokensOfFile);
  const estimated = [...texts.map(tokensIn), ...files].reduce((sum, part) => sum + part, 0);
  const { usage } = isUsable ? line[counted] : {};
  return { tokens: estimated + (isUsable ? usage.prompt + usage.completion : 0), isCounted: estimated === 0 };
}

/** Null while it is not known. */
function windowOf(model, again) {
  const listed = listedModel(model);
  if (Number.isSafeInteger(listed?.context_length) && listed.context_length > 0) return listed.context_length;
  if (windows.has(model) || listed === undefined) return windows.get(model) ?? null;
  windows.set(model, null);
  learn(model).then((window) => {
    windows.set(model, window);
    if (window !== null) again();
  }, () => {});
  return null;
}

async function learn(model) {
  const options = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ model }) };
  const { model_info: info } = await (await ask("/api/show", options)).json();
  const window = info?.[`${info["general.architecture"]}.context_length`];
  return Number.isSafeInteger(window) && window > 0 ? window : null;
}

const number = (value) => value.toLocaleString(locale);
