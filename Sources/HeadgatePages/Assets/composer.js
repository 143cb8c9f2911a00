// What is to be sent: the words, and the files that go with them.

import { draftNode } from "./attachment-view.js";
import { kindOf, problemOf, taken } from "./attachments.js";
import { find } from "./dom.js";
import { takesPdf } from "./routes.js";
import { t } from "./words.js";

const prompt = find("prompt");

export class Composer {
  #files = [];
  /** The message in whose place the next one stands. */
  #edited = null;
  #changed;

  /** `send` is called when the reader wants it; `changed` when there is something else to be sent. */
  constructor({ send, changed }) {
    this.#changed = changed;
    find("composer").addEventListener("submit", (event) => {
      event.preventDefault();
      send();
      prompt.focus();
    });
    prompt.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      send({ isKey: true });
    });
    prompt.addEventListener("input", () => changed());
    prompt.addEventListener("paste", (event) => this.#takeTransfer(event, event.clipboardData));
    const main = document.querySelector("main");
    main.addEventListener("dragover", (event) => {
      if (event.dataTransfer.types.includes("Files")) event.preventDefault();
    });
    main.addEventListener("drop", (event) => this.#takeTransfer(event, event.dataTransfer));
    for (const [button, input] of [["attach", "attach-files"], ["camera", "attach-camera"]]) {
      find(button).addEventListener("click", () => find(input).click());
      find(input).addEventListener("change", async ({ target }) => {
        await this.#take([...target.files]);
        // The same file may be chosen again.
        target.value = "";
      });
    }
    find("edit-cancel").addEventListener("click", () => this.clear());
  }

  get text() {
    return prompt.value;
  }

  get isEmpty() {
    return prompt.value.trim() === "" && this.#files.length === 0;
  }

  get isEditing() {
    return this.#edited !== null;
  }

  focus() {
    prompt.focus();
  }

  /** Says before anything is sent what one of these models may not take. */
  doubt(models) {
    const hasPdf = this.#files.some(({ type }) => kindOf(type) === "pdf");
    const doubtful = hasPdf ? models.filter((model) => !takesPdf(model)) : [];
    const note = doubtful.length === 0 ? ""
      : t("Not every model takes PDF: {models} might refuse it.", { models: doubtful.join(", ") });
    // A status that is set anew is read out anew.
    if (find("file-doubt").textContent !== note) find("file-doubt").textContent = note;
  }

  /** What there is, which is then here no more. */
  take() {
    const taken = { text: prompt.value, files: this.#files, edited: this.#edited };
    this.clear();
    return taken;
  }

  clear() {
    prompt.value = "";
    this.#show([], null);
  }

  /** Offers words that the reader may change before they are sent. */
  suggest(text) {
    prompt.value = text;
    prompt.focus();
    this.#changed();
  }

  /** Lets the reader change a message that was sent. */
  edit(message) {
    prompt.value = message.content;
    this.#show([...message.attachments ?? []], message);
    prompt.focus();
  }

  #takeTransfer(event, data) {
    const files = [...data?.files ?? []];
    // A text from an office program comes with a picture of itself.
    if (files.length === 0 || (event.type === "paste" && data.types.includes("text/plain"))) return;
    event.preventDefault();
    this.#take(files);
  }

  async #take(files) {
    for (const file of files) {
      try {
        const one = await taken(file);
        // Others may have come meanwhile.
        const all = [...this.#files, one];
        const problem = problemOf(all);
        if (problem !== null) throw new Error(problem);
        this.#show(all, this.#edited);
      } catch (error) {
        find("attach-notice").textContent = error.message;
        return;
      }
    }
    prompt.focus();
  }

  #show(files, edited) {
    this.#files = files;
    this.#edited = edited;
    find("attach-notice").textContent = "";
    find("editing").hidden = edited === null;
    find("draft-files").hidden = files.length === 0;
    find("draft-files").replaceChildren(...files.map((file) =>
      draftNode(file, () => this.#show(this.#files.filter((one) => one !== file), this.#edited))));
    this.#changed();
  }
}
