// The row of buttons below a message: what can be done with it, and the way to its other versions.

import { copy } from "./clipboard.js";
import { element } from "./dom.js";
import { listedModels } from "./models.js";

export class MessageActions {
  #message;
  #does;
  /** What is shown, so that nothing is made anew, under the reader's finger, that stays the same. */
  #shown = "";

  /**
   * `does` has what happens: `edit(message)`, `again(message, model)`, `goOn(message)`, `choose(message)`. None of them
   * is called with a message that is not shown.
   */
  constructor(message, does) {
    this.#message = message;
    this.#does = does;
    this.node = element("div", { class: "actions", role: "group", "aria-label": "Message" });
  }

  /** `spot` is where the message stands, as MessageView has it. */
  show({ versions, isTail, isBeside }, isLive) {
    const message = this.#message;
    const models = isTail ? listedModels() : [];
    const shown = JSON.stringify([isLive, isTail, isBeside, versions.map(({ id }) => id), models,
      canGoOn(message), message.content === ""]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    const focused = this.node.contains(document.activeElement) ? document.activeElement.textContent : null;
    this.node.replaceChildren(...this.#versions(versions), ...(isLive ? [] : this.#buttons(isTail, isBeside, models)));
    if (focused !== null) {
      [...this.node.querySelectorAll("button:not(:disabled)")].find((one) => one.textContent === focused)?.focus();
    }
  }

  #versions(versions) {
    if (versions.length < 2) return [];
    const index = versions.findIndex(({ id }) => id === this.#message.id);
    const step = (text, name, other) => element("button", {
      type: "button", class: "act", "aria-label": name, title: name, disabled: other === undefined,
      click: () => this.#does.choose(other),
    }, text);
    return [element("span", { class: "versions" },
      step("‹", "Earlier version", versions[index - 1]),
      element("span", { "aria-label": `Version ${index + 1} of ${versions.length}`, role: "img" },
        `${index + 1}/${versions.length}`),
      step("›", "Later version", versions[index + 1]))];
  }

  #buttons(isTail, isBeside, models) {
    const [message, does] = [this.#message, this.#does];
    const button = (text, click) => element("button", { type: "button", class: "act", click }, text);
    const copying = element("button", { type: "button",
      click: () => copy(message.content, copying, () => this.node.parentElement.querySelector(".text")) }, "Copy");
    const buttons = message.content === "" ? [] : [copying];
    if (message.role === "user") return [...buttons, button("Edit", () => does.edit(message))];
    if (isBeside) return [...buttons, button("Go on with this one", () => does.choose(message))];
    if (isTail && canGoOn(message)) buttons.push(button("Continue", () => does.goOn(message)));
    buttons.push(button("Regenerate", () => does.again(message, message.model)));
    if (models.length > 1) buttons.push(this.#otherModels(models));
    return buttons;
  }

  #otherModels(models) {
    const select = element("select", {
      class: "act", "aria-label": "Regenerate with…", title: "Regenerate with another one",
      change: () => {
        this.#does.again(this.#message, select.value);
        select.value = "";
      },
    }, element("option", { value: "" }, "With…"), ...models.map((name) => element("option", { value: name }, name)));
    return select;
  }
}

/** Whether more of an answer can be asked for: one that was cut, stopped or broken off, with what has come of it. */
const canGoOn = ({ content, finish, stopped, error, toolCalls }) => content.trim() !== "" && toolCalls === undefined
  && (finish === "length" || stopped === true || error !== undefined);
