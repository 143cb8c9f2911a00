// The row of buttons below a message: what can be done with it, and the way to its other versions.

import { copy } from "./clipboard.js";
import { element } from "./dom.js";
import { icon } from "./icons.js";
import { figuresOf } from "./message-figures.js";
import { listedModels } from "./models.js";
import { t } from "./words.js";

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
    this.node = element("div", { class: "actions", role: "group", "aria-label": t("Message") });
  }

  /** `spot` is where the message stands, as MessageView has it. */
  show({ versions, isTail, isBeside }, isLive) {
    const message = this.#message;
    const models = isTail ? listedModels() : [];
    const shown = JSON.stringify([isLive, isTail, isBeside, versions.map(({ id }) => id), models,
      canGoOn(message), message.content === "", message.error !== undefined]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    const focused = this.node.contains(document.activeElement) ? document.activeElement.ariaLabel : null;
    const buttons = isLive ? [] : this.#buttons(isTail, isBeside, models).filter((one) => one !== null);
    this.node.replaceChildren(...this.#versions(versions), ...buttons);
    if (focused !== null) {
      [...this.node.querySelectorAll("button:not(:disabled)")].find((one) => one.ariaLabel === focused)?.focus();
    }
  }

  #versions(versions) {
    if (versions.length < 2) return [];
    const index = versions.findIndex(({ id }) => id === this.#message.id);
    const step = (sign, name, other) => element("button", {
      type: "button", class: "act", "aria-label": t(name), title: t(name), disabled: other === undefined,
      click: () => this.#does.choose(other),
    }, icon(sign));
    return [element("span", { class: "versions" },
      step("left", "Earlier version", versions[index - 1]),
      element("span", { "aria-label": t("Version {number} of {count}", { number: index + 1, count: versions.length }),
        role: "img" },
        `${index + 1}/${versions.length}`),
      step("right", "Later version", versions[index + 1]))];
  }

  #buttons(isTail, isBeside, models) {
    const [message, does] = [this.#message, this.#does];
    const button = (sign, text, click) => element("button", { type: "button", class: "act", "aria-label": t(text),
      title: t(text), click }, icon(sign));
    const copying = button("copy", "Copy", () =>
      copy(message.content, copying, () => this.node.parentElement.querySelector(".text")));
    // It works while another answer comes, too.
    copying.className = "";
    const buttons = message.content === "" ? [] : [copying];
    if (message.role === "user") return [...buttons, button("edit", "Edit", () => does.edit(message))];
    const figures = figuresOf(message);
    if (isBeside) {
      return [...buttons, element("button", { type: "button", class: "act worded", click: () => does.choose(message) },
        t("Continue with this one")), figures];
    }
    if (isTail && canGoOn(message)) buttons.push(button("forward", "Continue", () => does.goOn(message)));
    // A failed answer at the end has its way to try again beside its error.
    if (!isTail || message.error === undefined) {
      buttons.push(button("again", "Regenerate", () => does.again(message, message.model)));
    }
    if (models.length > 1) buttons.push(this.#otherModels(models));
    return [...buttons, figures];
  }

  #otherModels(models) {
    const select = element("select", {
      class: "act", "aria-label": t("Regenerate with…"), title: t("Regenerate with another model"),
      change: () => {
        this.#does.again(this.#message, select.value);
        select.value = "";
      },
    }, element("option", { value: "" }, t("With…")), ...models.map((name) => element("option", { value: name }, name)));
    return select;
  }
}

/** Whether more of an answer can be asked for: one that was cut, stopped or broken off, with what has come of it. */
const canGoOn = ({ content, finish, stopped, error, toolCalls }) => content.trim() !== "" && toolCalls === undefined
  && (finish === "length" || stopped === true || error !== undefined);
