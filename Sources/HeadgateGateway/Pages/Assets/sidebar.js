// The list of conversations, and their way in and out as files.

import { element, find } from "./dom.js";
import { exported, importFile } from "./library.js";

export class Sidebar {
  #opened;
  #removed;
  /** By the id of their conversation: `{node, title, remove, updated}`. */
  #entries = new Map();
  /** The id of the one that is shown. */
  #shown;

  /** Calls back with the id of a conversation that is to be opened or removed, and before all of them are exported. */
  constructor({ opened, removed, exporting }) {
    this.#opened = opened;
    this.#removed = removed;
    find("toggle-conversations").addEventListener("click", () => this.toggle());
    find("export").addEventListener("click", () => {
      exporting();
      download();
    });
    find("import").addEventListener("click", () => find("import-file").click());
    find("import-file").addEventListener("change", (event) => this.#take(event.target));
    this.#open(matchMedia("(min-width: 50rem)").matches);
  }

  toggle() {
    this.#open(find("conversations").hidden);
  }

  /** On a narrow screen the list covers the messages. */
  closeIfNarrow() {
    if (!matchMedia("(min-width: 50rem)").matches) this.#open(false);
  }

  /** Lists these and no others. */
  list(conversations) {
    const ids = new Set(conversations.map(({ id }) => id));
    for (const id of [...this.#entries.keys()].filter((id) => !ids.has(id))) this.#remove(id);
    this.follow(...conversations);
  }

  /** Lists these too, as they are now. */
  follow(...conversations) {
    for (const { id, title, updated } of conversations) {
      const entry = this.#entries.get(id) ?? this.#newEntry(id);
      entry.updated = updated;
      const name = title || "Untitled";
      if (entry.title.textContent === name) continue;
      entry.title.textContent = name;
      entry.remove.setAttribute("aria-label", `Delete ${name}`);
    }
    this.#arrange();
  }

  /** Lists one no more. */
  drop(id) {
    this.#remove(id);
    this.#arrange();
  }

  /** Tells the one that is shown from the others, if it is listed. */
  mark(id) {
    this.#shown = id;
    this.#arrange();
  }

  /** In place: the list changes while another tab answers, and must not take focus or clicks from the reader. */
  #arrange() {
    const [list, focused] = [find("conversation-list"), document.activeElement];
    const entries = [...this.#entries].sort(([, one], [, other]) => other.updated - one.updated);
    for (const [index, [id, { node, title }]] of entries.entries()) {
      if (list.children[index] !== node) list.insertBefore(node, list.children[index] ?? null);
      if (id === this.#shown) title.setAttribute("aria-current", "true");
      else title.removeAttribute("aria-current");
    }
    // What is moved loses it.
    if (list.contains(focused)) focused.focus();
    find("no-conversations").hidden = entries.length > 0;
    find("export").disabled = entries.length === 0;
  }

  notice(text) {
    find("conversations-notice").textContent = text;
    if (text !== "") this.#open(true);
  }

  #newEntry(id) {
    const entry = {};
    entry.title = element("button", { type: "button", class: "title", click: () => this.#opened(id) });
    entry.remove = element("button", { type: "button", class: "remove", title: "Delete", click: () => {
      if (confirm(`Delete “${entry.title.textContent}”?`)) this.#removed(id);
    } }, "×");
    entry.node = element("li", {}, entry.title, entry.remove);
    this.#entries.set(id, entry);
    return entry;
  }

  #remove(id) {
    this.#entries.get(id)?.node.remove();
    this.#entries.delete(id);
  }

  async #take(input) {
    const [file] = input.files;
    if (!file) return;
    try {
      const added = await importFile(file);
      this.follow(...added);
      this.notice(`${added.length} ${added.length === 1 ? "conversation" : "conversations"} imported.`);
    } catch (error) {
      this.notice(error.message);
    }
    // The same file may be chosen again.
    input.value = "";
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
