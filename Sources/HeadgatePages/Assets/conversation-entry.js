// A conversation in the list: opened there, and renamed or deleted in its menu.

import { element } from "./dom.js";
import { icon } from "./icons.js";
import { locale, t } from "./words.js";

const day = 86_400_000;

/** The heading under which a time stands. */
export function dayOf(time) {
  const today = new Date().setHours(0, 0, 0, 0);
  if (time >= today) return t("Today");
  if (time >= today - day) return t("Yesterday");
  if (time >= today - 7 * day) return t("Last seven days");
  return new Date(time).toLocaleDateString(locale, { year: "numeric", month: "long" });
}

export class ConversationEntry {
  updated = 0;
  #day = element("h2", { class: "day" });
  #title;
  #menu;
  #rename;
  #save;
  #remove;
  #input = null;
  #renamed;

  constructor(id, { opened, removed, renamed, saved }) {
    this.#renamed = (title) => renamed(id, title);
    this.#title = element("button", { type: "button", class: "title", click: () => opened(id) });
    const item = (name, text, act) => element("button", { type: "button", click: () => {
      this.#menu.open = false;
      act();
    } }, icon(name), text);
    this.#rename = item("edit", t("Rename"), () => this.#startRenaming());
    this.#save = item("file", t("Save as Markdown"), saved);
    this.#remove = item("delete", t("Delete"), () => removed(id));
    // Menus of one name close each other.
    this.#menu = element("details", { class: "menu", name: "conversation-menu", keydown: (event) => this.#close(event),
      focusout: ({ relatedTarget }) => {
        if (!this.#menu.contains(relatedTarget)) this.#menu.open = false;
      } }, element("summary", {}, icon("more")), element("div", {}, this.#rename, this.#save, this.#remove));
    this.node = element("li", {}, this.#day, element("div", { class: "entry" }, this.#title, this.#menu));
  }

  follow({ title, updated }) {
    this.updated = updated;
    const name = title || t("Untitled");
    if (this.#title.textContent === name) return;
    this.#title.textContent = name;
    this.#title.title = name;
    this.#menu.firstChild.setAttribute("aria-label", t("Options of {name}", { name }));
    this.#rename.setAttribute("aria-label", t("Rename {name}", { name }));
    this.#save.setAttribute("aria-label", t("Save {name} as Markdown", { name }));
    this.#remove.setAttribute("aria-label", t("Delete {name}", { name }));
  }

  mark(isShown) {
    if (isShown) this.#title.setAttribute("aria-current", "true");
    else this.#title.removeAttribute("aria-current");
  }

  /** `before` is the heading above, under which the entry may stand too. Returns its own. */
  showDay(before) {
    const own = dayOf(this.updated);
    this.#day.hidden = own === before;
    if (this.#day.textContent !== own) this.#day.textContent = own;
    return own;
  }

  #close(event) {
    if (event.key !== "Escape" || !this.#menu.open) return;
    event.stopPropagation();
    this.#menu.open = false;
    this.#menu.firstChild.focus();
  }

  #startRenaming() {
    if (this.#input !== null) return;
    const input = element("input", { "aria-label": t("New title"), maxlength: 80, value: this.#title.textContent,
      blur: () => this.#endRenaming(true),
      keydown: (event) => {
        if (event.isComposing || !["Enter", "Escape"].includes(event.key)) return;
        event.stopPropagation();
        this.#endRenaming(event.key === "Enter");
        this.#title.focus();
      } });
    this.#input = input;
    this.#title.hidden = true;
    this.#title.before(input);
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
