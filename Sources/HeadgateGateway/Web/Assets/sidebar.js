// The list of conversations, and their way in and out as files.

import { element, find } from "./dom.js";
import { conversations, exported, importFile } from "./library.js";

export class Sidebar {
  #opened;
  #removed;

  /** Calls back with a conversation that is to be opened or removed. */
  constructor({ opened, removed }) {
    this.#opened = opened;
    this.#removed = removed;
    find("toggle-conversations").addEventListener("click", () => this.toggle());
    find("export").addEventListener("click", download);
    find("import").addEventListener("click", () => find("import-file").click());
    find("import-file").addEventListener("change", (event) => this.#take(event.target));
    // Other tabs keep conversations too.
    addEventListener("storage", () => this.show());
    this.#open(matchMedia("(min-width: 50rem)").matches);
  }

  toggle() {
    this.#open(find("conversations").hidden);
  }

  /** On a narrow screen the list covers the messages. */
  closeIfNarrow() {
    if (!matchMedia("(min-width: 50rem)").matches) this.#open(false);
  }

  show(current = this.current) {
    this.current = current;
    const all = conversations();
    find("conversation-list").replaceChildren(...all.map((conversation) => this.#entry(conversation)));
    find("no-conversations").hidden = all.length > 0;
    find("export").disabled = all.length === 0;
  }

  notice(text) {
    find("conversations-notice").textContent = text;
    if (text !== "") this.#open(true);
  }

  #entry(conversation) {
    const title = conversation.title || "Untitled";
    const isCurrent = conversation.id === this.current;
    return element("li", {},
      element("button", { type: "button", class: "title", "aria-current": isCurrent ? "true" : null,
        click: () => this.#opened(conversation) }, title),
      element("button", { type: "button", class: "remove", "aria-label": `Delete ${title}`, title: "Delete",
        click: () => { if (confirm(`Delete “${title}”?`)) this.#removed(conversation); } }, "×"));
  }

  async #take(input) {
    const [file] = input.files;
    if (!file) return;
    try {
      const count = await importFile(file);
      this.notice(`${count} ${count === 1 ? "conversation" : "conversations"} imported.`);
    } catch (error) {
      this.notice(error.message);
    }
    // The same file may be chosen again.
    input.value = "";
    this.show();
  }

  #open(isOpen) {
    find("conversations").hidden = !isOpen;
    find("toggle-conversations").setAttribute("aria-expanded", isOpen);
  }
}

function download() {
  const address = URL.createObjectURL(new Blob([exported()], { type: "application/json" }));
  element("a", { href: address, download: "headgate-conversations.json" }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
