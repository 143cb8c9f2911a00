// The list of conversations, and their way in and out as files.

import { element, find } from "./dom.js";
import { conversations, exported, importFile } from "./library.js";

export class Sidebar {
  #opened;
  #removed;
  /** By the id of their conversation: `{node, title, remove, conversation}`. */
  #entries = new Map();

  /** Calls back with a conversation that is to be opened or removed, and before all of them are exported. */
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

  /** In place: the list changes while another tab answers, and must not take focus or clicks from the reader. */
  show(current = this.current) {
    this.current = current;
    const all = conversations();
    const [list, focused] = [find("conversation-list"), document.activeElement];
    const ids = new Set(all.map(({ id }) => id));
    for (const [id, { node }] of this.#entries) {
      if (ids.has(id)) continue;
      node.remove();
      this.#entries.delete(id);
    }
    for (const [index, conversation] of all.entries()) {
      const node = this.#entry(conversation);
      if (list.children[index] !== node) list.insertBefore(node, list.children[index] ?? null);
    }
    // What is moved loses it.
    if (list.contains(focused)) focused.focus();
    find("no-conversations").hidden = all.length > 0;
    find("export").disabled = all.length === 0;
  }

  notice(text) {
    find("conversations-notice").textContent = text;
    if (text !== "") this.#open(true);
  }

  #entry(conversation) {
    const { id } = conversation;
    const entry = this.#entries.get(id) ?? this.#newEntry(id);
    entry.conversation = conversation;
    const name = conversation.title || "Untitled";
    if (entry.title.textContent !== name) {
      entry.title.textContent = name;
      entry.remove.setAttribute("aria-label", `Delete ${name}`);
    }
    if (id === this.current) entry.title.setAttribute("aria-current", "true");
    else entry.title.removeAttribute("aria-current");
    return entry.node;
  }

  #newEntry(id) {
    const entry = {};
    entry.title = element("button", { type: "button", class: "title", click: () => this.#opened(entry.conversation) });
    entry.remove = element("button", { type: "button", class: "remove", title: "Delete", click: () => {
      if (confirm(`Delete “${entry.title.textContent}”?`)) this.#removed(entry.conversation);
    } }, "×");
    entry.node = element("li", {}, entry.title, entry.remove);
    this.#entries.set(id, entry);
    return entry;
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
