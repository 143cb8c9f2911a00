// What the gateway's list says of a model, in words.

import { dollars, whole } from "./figures.js";
import { locale, t } from "./words.js";

const places = new Map([["device", "on this device"], ["local", "local"], ["cloud", "cloud"]]);

/** The provider, where the model runs, its context, and its price, as far as the list says it. */
export function factsOf(model) {
  const context = model.context_length;
  const price = priceOf(model);
  return [
    model.upstream ?? model.owned_by,
    places.has(model.location) ? t(places.get(model.location)) : undefined,
    Number.isSafeInteger(context) ? t("{count} tokens of context", { count: short(context) }) : undefined,
    price === null ? undefined : price.prompt === 0 && price.completion === 0 ? t("free")
      : t("{prompt} in, {completion} out per million",
        { prompt: dollars(price.prompt * 1e6), completion: dollars(price.completion * 1e6) }),
  ].filter((fact) => typeof fact === "string");
}

/** The model that comes with the gateway is there to try things out. */
export const isDemo = ({ location }) => location === "device";

/** US dollars for a token, `{prompt, completion}`, in OpenRouter's form; null if the list does not say them. */
export function priceOf({ pricing }) {
  const [prompt, completion] = [pricing?.prompt, pricing?.completion].map((text) =>
    (typeof text === "string" && text !== "" ? Number(text) : typeof text === "number" ? text : NaN));
  return prompt >= 0 && completion >= 0 && prompt + completion < 1 ? { prompt, completion } : null;
}

const short = (count) => (count >= 10_000
  ? count.toLocaleString(locale, { notation: "compact", maximumFractionDigits: 1 }) : whole(count));
