// The conversation that is shown: its messages on the page, and changes in what it is held with.

import { choose, shown } from "./branches.js";
import { newConversation } from "./conversation.js";
import { find } from "./dom.js";
import { keep } from "./library.js";
import { MessageView } from "./message-view.js";

/** How long the reader may go on with a change before it is kept, in milliseconds. */
const changeInterval = 500;

export class Thread {
  conversation = newConversation();
  #list = find("messages");
  /** What shows the messages, by their ids. */
  #views = new Map();
  /** The views of answers under way, by their messages: these show what comes, and nothing else does. */
  #held = new Map();
  #does;
  #followed;
  /** The timer of a change that is not kept yet. */
  #changing = null;

  /** `does` is what can be done with messages; `followed` is called when other things may have changed, too. */
  constructor(does, followed) {
    this.#does = { ...does, choose: (message) => this.#choose(message) };
    this.#followed = followed;
  }

  present(conversation) {
    this.keepChange();
    this.conversation = conversation;
    this.#views.clear();
    this.#list.replaceChildren();
    this.follow();
  }

  /** Shows what the conversation has become, perhaps by another tab. */
  follow() {
    const rows = shown(this.conversation);
    const ids = new Set(rows.map(({ message }) => message.id));
    for (const [id, view] of this.#views) {
      if (ids.has(id)) continue;
      view.node.remove();
      this.#views.delete(id);
    }
    const start = rows.findIndex(({ message }) => message.id === this.conversation.start);
    for (const [index, { message, ...spot }] of rows.entries()) {
      const view = this.#viewOf(message);
      view.place({ ...spot, isOut: index < start });
      const there = this.#list.children[index] ?? null;
      if (there !== view.node) this.#list.insertBefore(view.node, there);
    }
    find("left-out").hidden = start <= 0;
    find("greeting").hidden = rows.length > 0;
    this.#followed();
  }

  #viewOf(message) {
    const known = this.#views.get(message.id);
    if (known !== undefined) {
      if (!this.#held.has(message)) known.follow();
      return known;
    }
    const view = this.#held.get(message) ?? new MessageView(message, this.#does);
    this.#views.set(message.id, view);
    return view;
  }

  /** The view of an answer under way, until it is released. */
  hold(message) {
    const view = this.#viewOf(message);
    this.#held.set(message, view);
    return view;
  }

  release(message) {
    this.#held.delete(message);
  }

  #choose(message) {
    choose(this.conversation, message);
    keep(this.conversation);
    this.follow();
  }

  /** Changes what the conversation is held with. One without messages is not kept. */
  change(values) {
    // A clock may be set back.
    Object.assign(this.conversation, values, { changed: Math.max(Date.now(), this.conversation.changed + 1) });
    if (this.conversation.messages.length === 0) return;
    clearTimeout(this.#changing);
    this.#changing = setTimeout(() => this.keepChange(), changeInterval);
  }

  keepChange() {
    if (this.#changing === null) return;
    this.dropChange();
    keep(this.conversation);
  }

  dropChange() {
    clearTimeout(this.#changing);
    this.#changing = null;
  }
}
