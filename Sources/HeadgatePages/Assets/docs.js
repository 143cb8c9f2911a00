// The routes, to read and try: with the key that the other pages have, and with a model that this gateway has.

import { find } from "./dom.js";
import { forgetKey, keptKey } from "./key.js";
import { startPage } from "./rail.js";

/** Of the description's examples. */
const exampleModel = "smollm2";

startPage();
const key = keptKey();
find("key-forget").hidden = key === "";
find("key-forget").addEventListener("click", () => {
  forgetKey();
  location.reload();
});

async function firstModel() {
  try {
    const headers = key === "" ? {} : { Authorization: `Bearer ${key}` };
    const list = await (await fetch("/v1/models", { headers, credentials: "omit", cache: "no-store" })).json();
    const names = list.data.map(({ id }) => id);
    return names.includes(exampleModel) ? exampleModel : names[0] ?? exampleModel;
  } catch {
    // Without the key there is no list.
    return exampleModel;
  }
}

/** The same description, with that name in the examples of requests. */
function naming(model, value) {
  if (Array.isArray(value)) return value.map((one) => naming(model, one));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) =>
    [name, (name === "model" || name === "example") && member === exampleModel ? model : naming(model, member)]));
}

const [spec, model] = await Promise.all([fetch("/openapi.json").then((answer) => answer.json()), firstModel()]);
const page = globalThis.SwaggerUIBundle({
  spec: naming(model, spec),
  dom_id: "#swagger-ui",
  deepLinking: true,
  validatorUrl: null,
  persistAuthorization: false,
  tryItOutEnabled: true,
  onComplete() {
    if (key !== "") page.preauthorizeApiKey("bearer", key);
  },
});
