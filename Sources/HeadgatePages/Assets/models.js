// The models that the gateway lists, to choose from by their names and what is known of them.

import { ask } from "./access.js";
import { element, find } from "./dom.js";
import { factsOf, isDemo } from "./model-facts.js";
import { noteModels } from "./routes.js";
import { t } from "./words.js";

/** By name, as the gateway lists them. */
let listed = new Map();

/** The names that the gateway has listed. */
export const listedModels = () => [...listed.keys()];

/** What the list says of a model; undefined if it is not listed. */
export const listedModel = (name) => listed.get(name);

/** A combobox: what is typed looks for a model, or is the name of one that is not listed. */
export class ModelPicker {
  #input = find("model");
  #list = find("model-list");
  #chosen = "";
  /** The names that the open list offers, and which of them the arrow keys have reached. */
  #offered = [];
  #active = 0;
  #chose;
  #listed;

  /** `chose` is called with the name of a model, `listed` when there is a list. */
  constructor({ chose, listed }) {
    this.#chose = chose;
    this.#listed = listed;
    const input = this.#input;
    input.addEventListener("input", () => this.#offer(input.value.trim()));
    input.addEventListener("click", () => this.open());
    input.addEventListener("blur", () => this.#close());
    input.addEventListener("keydown", (event) => this.#press(event));
    // The list does not take the focus, whose loss would close it before the click arrives.
    this.#list.addEventListener("pointerdown", (event) => event.preventDefault());
    this.#list.addEventListener("click", ({ target }) => {
      const option = target.closest("[role=option]");
      if (option !== null) this.#take(this.#offered[[...this.#list.children].indexOf(option)]);
    });
  }

  get model() {
    return this.#chosen;
  }

  /** Asks the gateway for its models. */
  async load() {
    try {
      const list = await (await ask("/v1/models")).json();
      const models = list.data.filter((model) => typeof model.id === "string");
      noteModels(models);
      listed = new Map(models.map((model) => [model.id, model]));
    } catch (failure) {
      this.#input.placeholder = failure.status === 401 ? t("Models: needs a key") : t("Models: not listed");
      return;
    }
    this.choose(this.#chosen || listedModels()[0] || "");
    this.#listed();
  }

  choose(model) {
    this.#chosen = model;
    if (this.#isOpen) return;
    this.#input.value = model;
    this.#input.title = model === "" ? t("Model (Alt+M)") : `${model} (Alt+M)`;
  }

  /** Offers all models, whatever was typed before. */
  open() {
    this.#input.focus();
    if (this.#isOpen) return;
    this.#input.select();
    this.#offer("");
  }

  get #isOpen() {
    return !this.#list.hidden;
  }

  #offer(words) {
    const wanted = words.toLowerCase().split(/\s+/);
    const says = (model) => [model.id, ...factsOf(model)].join(" ").toLowerCase();
    const found = [...listed.values()].filter((model) => wanted.every((word) => says(model).includes(word)));
    this.#offered = found.map(({ id }) => id);
    // An upstream may serve more than it lists.
    if (words !== "" && !listed.has(words)) this.#offered.push(words);
    const exact = words === "" ? this.#chosen : listed.has(words) ? words : undefined;
    this.#active = Math.max(0, this.#offered.indexOf(exact));
    this.#list.replaceChildren(...this.#offered.map((name, index) => this.#option(name, index)));
    this.#show(this.#offered.length > 0);
    this.#mark();
  }

  #option(name, index) {
    const model = listed.get(name);
    const facts = model === undefined ? t("not listed; use this name") : factsOf(model).join(" · ");
    return element("li", { role: "option", id: `model-${index}`, "aria-selected": String(name === this.#chosen) },
      element("span", { class: "model-name" }, name),
      model !== undefined && isDemo(model) ? element("span", { class: "badge" }, t("tiny demo model, English only")) : null,
      element("span", { class: "faint" }, facts));
  }

  #mark() {
    for (const [index, option] of [...this.#list.children].entries()) {
      option.classList.toggle("active", index === this.#active);
      if (index === this.#active) option.scrollIntoView({ block: "nearest" });
    }
    this.#input.setAttribute("aria-activedescendant", this.#isOpen ? `model-${this.#active}` : "");
  }

  #press(event) {
    if (event.isComposing) return;
    const { key } = event;
    if (key === "ArrowDown" || key === "ArrowUp") {
      event.preventDefault();
      if (!this.#isOpen) return this.open();
      const count = this.#offered.length;
      this.#active = (this.#active + (key === "ArrowDown" ? 1 : count - 1)) % count;
      this.#mark();
    } else if (key === "Enter") {
      event.preventDefault();
      if (this.#isOpen) this.#take(this.#offered[this.#active]);
    } else if (key === "Escape" && this.#isOpen) {
      event.stopPropagation();
      this.#close();
    }
  }

  #take(name) {
    this.#chosen = name ?? this.#chosen;
    this.#close();
    this.#chose(this.#chosen);
  }

  #close() {
    this.#show(false);
    this.choose(this.#chosen);
  }

  #show(isOpen) {
    this.#list.hidden = !isOpen;
    this.#input.setAttribute("aria-expanded", String(isOpen));
    if (!isOpen) this.#input.removeAttribute("aria-activedescendant");
  }
}
