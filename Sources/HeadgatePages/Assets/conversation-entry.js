// A conversation in the list: opened, renamed and deleted there.

import { element } from "./dom.js";

export class ConversationEntry {
  updated = 0;
  #title;
  #rename;
  #remove;
  #input = null;
  #renamed;

  constructor(id, { opened, removed, renamed }) {
    this.#renamed = (title) => renamed(id, title);
    this.#title = element("button", { type: "button", class: "title", click: () => opened(id) });
    this.#rename = element("button", { type: "button", class: "quiet", title: "Rename",
      click: () => this.#startRenaming() }, "✎");
    this.#remove = element("button", { type: "button", class: "quiet", title: "Delete",
      click: () => removed(id) }, "×");
    this.node = element("li", {}, this.#title, this.#rename, this.#remove);
  }

  follow({ title, updated }) {
    this.updated = updated;
    const name = title || "Untitled";
    if (this.#title.textContent === name) return;
    this.#title.textContent = name;
    this.#title.title = name;
    this.#rename.setAttribute("aria-label", `Rename ${name}`);
    this.#remove.setAttribute("aria-label", `Delete ${name}`);
  }

  mark(isShown) {
    if (isShown) this.#title.setAttribute("aria-current", "true");
    else this.#title.removeAttribute("aria-current");
  }

  #startRenaming() {
    if (this.#input !== null) return;
    const input = element("input", { "aria-label": "New title", maxlength: 80, value: this.#title.textContent,
      blur: () => this.#endRenaming(true),
      keydown: (event) => {
        if (event.isComposing || !["Enter", "Escape"].includes(event.key)) return;
        event.stopPropagation();
        this.#endRenaming(event.key === "Enter");
        this.#title.focus();
      } });
    this.#input = input;
    this.#title.hidden = true;
    this.node.prepend(input);
    input.focus();
    input.select();
  }

  #endRenaming(isKept) {
    const input = this.#input;
    if (input === null) return;
    // Before it leaves the page, which takes its focus and so ends this once more.
    this.#input = null;
    const title = input.value.trim();
    input.remove();
    this.#title.hidden = false;
    if (isKept && title !== "" && title !== this.#title.textContent) this.#renamed(title);
  }
}
