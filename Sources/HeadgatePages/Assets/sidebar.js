// The list of conversations, and their way in and out as files.

import { ConversationEntry } from "./conversation-entry.js";
import { find } from "./dom.js";
import { exported, importFile } from "./exchange.js";
import { latest } from "./library.js";
import { download, fileName, markdownOf } from "./markdown-file.js";
import { says } from "./search.js";
import { toast } from "./toast.js";
import { t } from "./words.js";

export class Sidebar {
  #does;
  /** The ConversationEntry of each, by its id. */
  #entries = new Map();
  /** The id of the one that is shown. */
  #shown;

  /**
   * `does` is called with the id of a conversation: `opened(id)`, `removed(id)`, `renamed(id, title)`; and
   * `exporting()` before all of them are exported.
   */
  constructor(does) {
    this.#does = does;
    find("toggle-conversations").addEventListener("click", () => this.toggle());
    find("export").addEventListener("click", () => this.#export());
    find("import").addEventListener("click", () => find("import-file").click());
    find("import-file").addEventListener("change", (event) => this.#take(event.target));
    find("search").addEventListener("input", () => this.#arrange());
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
    for (const conversation of conversations) {
      const { id } = conversation;
      if (!this.#entries.has(id)) this.#entries.set(id, new ConversationEntry(id,
        { ...this.#does, saved: () => this.#save(id) }));
      this.#entries.get(id).follow(conversation);
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
    if (this.#shown === id) return;
    this.#shown = id;
    this.#arrange();
  }

  /** In place: the list changes while another tab answers, and must not take focus or clicks from the reader. */
  #arrange() {
    const [list, focused] = [find("conversation-list"), document.activeElement];
    const entries = [...this.#entries].sort(([, one], [, other]) => other.updated - one.updated);
    const words = find("search").value;
    let hits = 0;
    let day = "";
    for (const [index, [id, entry]] of entries.entries()) {
      if (list.children[index] !== entry.node) list.insertBefore(entry.node, list.children[index] ?? null);
      entry.mark(id === this.#shown);
      entry.node.hidden = words.trim() !== "" && !says(latest(id), words);
      if (entry.node.hidden) continue;
      hits += 1;
      day = entry.showDay(day);
    }
    // What is moved loses it.
    if (list.contains(focused)) focused.focus();
    find("no-conversations").hidden = entries.length > 0;
    find("search-box").hidden = entries.length === 0;
    find("no-hits").textContent = entries.length > 0 && hits === 0 ? t("No conversation has these words.") : "";
    find("export").disabled = entries.length === 0;
  }

  #remove(id) {
    this.#entries.get(id)?.node.remove();
    this.#entries.delete(id);
  }

  async #export() {
    this.#does.exporting();
    try {
      download(await exported(), "headgate-conversations.json", "application/json");
    } catch (error) {
      const isTooLarge = error instanceof RangeError;
      toast(t("Nothing was exported: {reason}.",
        { reason: isTooLarge ? t("this is more than fits into one file") : error.message }));
    }
  }

  #save(id) {
    this.#does.exporting();
    const conversation = latest(id);
    if (conversation !== null) download(markdownOf(conversation), fileName(conversation.title), "text/markdown");
  }

  async #take(input) {
    const [file] = input.files;
    if (!file) return;
    try {
      const { added, known } = await importFile(file);
      this.follow(...added);
      const there = known === 0 ? "" : ` ${t(known === 1 ? "1 conversation was here already."
        : "{count} conversations were here already.", { count: known })}`;
      const count = added.length;
      toast(t(count === 1 ? "1 conversation imported." : "{count} conversations imported.", { count }) + there);
    } catch (error) {
      toast(error.message);
    }
    // The same file may be chosen again.
    input.value = "";
  }

  #open(isOpen) {
    find("conversations").hidden = !isOpen;
    find("toggle-conversations").setAttribute("aria-expanded", isOpen);
  }
}
