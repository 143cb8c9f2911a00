// The models that the gateway lists, to choose from.

import { ask } from "./access.js";
import { element, find } from "./dom.js";
import { noteModels } from "./routes.js";

const other = "\u0000other";
let listed = [];

/** The names that the gateway has listed. */
export const listedModels = () => listed;

export class ModelPicker {
  #select = find("model");
  #chosen = "";
  #chose;
  #listed;

  /** `chose` is called with the name of a model, `listed` when there is a list. */
  constructor({ chose, listed }) {
    this.#chose = chose;
    this.#listed = listed;
    this.#select.addEventListener("change", () => this.#change());
  }

  get model() {
    return this.#chosen;
  }

  /** Asks the gateway for its models. */
  async load() {
    let names;
    try {
      const list = await (await ask("/v1/models")).json();
      const models = list.data.filter((model) => typeof model.id === "string");
      noteModels(models);
      names = models.map((model) => model.id);
      listed = names;
    } catch (failure) {
      return this.#fail(failure);
    }
    // An upstream may serve more than it lists.
    this.#select.replaceChildren(...names.map(option), element("option", { value: other }, "Another…"));
    this.choose(this.#chosen || names[0] || "");
    this.#listed();
  }

  choose(model) {
    this.#chosen = model;
    if (model !== "" && ![...this.#select.options].some((known) => known.value === model)) {
      this.#select.prepend(option(model));
    }
    this.#select.value = model;
  }

  #change() {
    if (this.#select.value === other) this.choose(prompt("Name of the model")?.trim() || this.#chosen);
    else this.#chosen = this.#select.value;
    this.#chose(this.#chosen);
  }

  #fail(failure) {
    const shown = this.#chosen === "" ? [] : [option(this.#chosen)];
    const reason = failure.status === 401 ? "needs a key" : "not listed";
    this.#select.replaceChildren(...shown, element("option", { value: "", disabled: true }, `Models: ${reason}`));
    this.#select.value = this.#chosen;
  }
}

const option = (name) => element("option", { value: name }, name);
