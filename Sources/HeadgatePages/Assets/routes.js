// By which of the gateway's routes a model is asked.

import { ask } from "./access.js";

/** By name: whether the model speaks Anthropic's Messages and not OpenAI's form. */
const known = new Map();

/** Takes note of the models that the gateway lists. */
export function noteModels(models) {
  for (const { id, speaks } of models) known.set(id, speaksMessages(speaks));
}

/** Whether a model is asked by `/v1/messages`. Where the gateway does not say, it is asked as usual, and fails there. */
export async function isAskedByMessages(model, signal) {
  // Without a key there is no list, and nothing is chosen.
  if (model === "") return false;
  if (!known.has(model)) {
    try {
      noteModels([await (await ask(`/v1/models/${encodeURIComponent(model)}`, { signal })).json()]);
    } catch (error) {
      if (error.name === "AbortError") throw error;
      return false;
    }
  }
  return known.get(model) ?? false;
}

/** Whether a model is known to take PDF: all models of Anthropic do, and of others no server says it. */
export const takesPdf = (model) => known.get(model) === true;

/** The configuration may have changed since. */
export const forgetRoute = (model) => known.delete(model);

const speaksMessages = (routes) => Array.isArray(routes) && routes.includes("messages") && !routes.includes("chat");
