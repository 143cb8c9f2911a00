// The chat page: what the reader does, and what follows from it.

import { onKey } from "./access.js";
import { Answering } from "./answering.js";
import { merge, newConversation, newTurn, remove as removeMessage, shownMessages, titleOf } from "./conversation.js";
import { find } from "./dom.js";
import { Follower } from "./follow.js";
import { conversations, forget, keep, latest, onOtherTab } from "./library.js";
import { MessageView } from "./message-view.js";
import { ModelPicker } from "./models.js";
import { followed } from "./place.js";
import { Sidebar } from "./sidebar.js";

/** How long the reader may go on with a change before it is kept, in milliseconds. */
const changeInterval = 500;

const [prompt, instructions, send] = ["prompt", "instructions", "send"].map(find);
const follower = new Follower(find("scroller"), find("to-latest"));
const picker = new ModelPicker((model) => change({ model }));
const sidebar = new Sidebar({ opened: reopen, removed: remove, exporting: keepAll });
let conversation = newConversation();
/** What shows the messages of the conversation, by their ids. */
const views = new Map();
/** The Answering under way. */
let current = null;
/** The timer of a change that is not kept yet. */
let changing = null;

function reopen(id) {
  const other = id === conversation.id ? null : latest(id);
  if (other === null) sidebar.closeIfNarrow();
  else open(other);
}

function open(other) {
  current?.stop();
  keepChange();
  present(other);
  find("instructions-box").open = false;
  follower.toEnd();
  sidebar.closeIfNarrow();
  prompt.focus();
}

function present(other) {
  conversation = other;
  views.clear();
  find("messages").replaceChildren();
  follow();
}

/** Shows what the conversation has become, perhaps by another tab. */
function follow() {
  const [list, messages] = [find("messages"), shownMessages(conversation)];
  const ids = new Set(messages.map(({ id }) => id));
  for (const [id, view] of views) {
    if (ids.has(id)) continue;
    view.node.remove();
    views.delete(id);
  }
  for (const [index, message] of messages.entries()) {
    const { node } = viewOf(message);
    if (list.children[index] !== node) list.insertBefore(node, list.children[index] ?? null);
  }
  if (instructions.value !== conversation.instructions) instructions.value = conversation.instructions;
  if (conversation.model !== "" && conversation.model !== picker.model) picker.choose(conversation.model);
  show();
  follower.changed();
}

function viewOf(message) {
  const known = views.get(message.id);
  // The answer under way is shown as it comes.
  if (known !== undefined && message !== current?.message) known.follow();
  if (known !== undefined) return known;
  const view = new MessageView(message, retry);
  views.set(message.id, view);
  return view;
}

function show() {
  find("greeting").hidden = views.size > 0;
  document.title = conversation.title === "" ? "Headgate: chat" : `${conversation.title} (Headgate)`;
  send.textContent = current === null ? "Send" : "Stop";
  send.classList.toggle("stop", current !== null);
  sidebar.mark(conversation.id);
}

/** Changes what the conversation is held with. One without messages is not kept. */
function change(values) {
  // A clock may be set back.
  Object.assign(conversation, values, { changed: Math.max(Date.now(), conversation.changed + 1) });
  if (conversation.messages.length === 0) return;
  clearTimeout(changing);
  changing = setTimeout(keepChange, changeInterval);
}

function keepChange() {
  if (changing === null) return;
  dropChange();
  keep(conversation);
}

function dropChange() {
  clearTimeout(changing);
  changing = null;
}

function keepAll() {
  keepChange();
  current?.keep();
}

function startNew() {
  open(newConversation({ model: picker.model }));
}

function remove(id) {
  if (id === current?.conversation.id) current.abandon();
  if (id === conversation.id) dropChange();
  forget(id);
  sidebar.drop(id);
  if (id === conversation.id) startNew();
}

function submit() {
  const text = prompt.value;
  if (current !== null || text.trim() === "") return;
  prompt.value = "";
  const turn = newTurn(conversation);
  conversation.messages.push({ id: `${turn}-0`, revision: 1, role: "user", content: text });
  if (conversation.title === "") conversation.title = titleOf(text);
  answer(turn);
}

/** Asks again in place of a failed answer, if it is the last message: another one has been talked on from. */
function retry(message) {
  if (current !== null || shownMessages(conversation).at(-1) !== message) return;
  removeMessage(message);
  answer(newTurn(conversation));
}

async function answer(turn) {
  if (conversation.model !== picker.model) change({ model: picker.model });
  const message = { id: `${turn}-1`, revision: 0, role: "assistant", content: "", model: conversation.model };
  conversation.messages.push(message);
  await fill(message);
}

/** Goes on with the answer during which the page was loaded again. */
function goOn() {
  const place = followed();
  const there = place === null || current !== null ? null : latest(place.conversation);
  if (there === null) return;
  if (there.id !== conversation.id) open(there);
  const message = conversation.messages.find(({ id }) => id === place.message);
  if (message?.place && message.stopped && !message.removed) fill(message);
}

async function fill(message) {
  const answering = new Answering(conversation, message, viewOf(message), () => follower.changed());
  current = answering;
  // With every change that waits for it.
  dropChange();
  const isKept = answering.keep();
  sidebar.follow(conversation);
  follow();
  follower.toEnd();
  announce("Answering.");
  const wasKept = (await answering.run()) && isKept;
  if (current === answering) current = null;
  if (!answering.isAbandoned) sidebar.follow(answering.conversation);
  // The reader may have left the conversation and come back meanwhile.
  if (conversation !== answering.conversation && conversation.id === answering.conversation.id) {
    merge(conversation, answering.conversation);
  }
  follow();
  if (!wasKept) sidebar.notice("This conversation is not kept: the browser's storage is full or closed to this page.");
  const said = message.content || message.refusal || "";
  announce(message.error ? "The answer failed." : `${message.stopped ? "Stopped. " : ""}${said}`);
}

/** For screen readers: once at the start and once at the end, never word by word. */
function announce(text) {
  find("announcer").textContent = text;
}

find("composer").addEventListener("submit", (event) => {
  event.preventDefault();
  if (current === null) submit();
  else current.stop();
  prompt.focus();
});

prompt.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  submit();
});

addEventListener("keydown", (event) => {
  if (event.key === "Escape") return current?.stop();
  const isTyping = event.target.closest("input, textarea, select") !== null;
  const does = event.altKey && !event.ctrlKey && !event.metaKey ? shortcuts[event.code]
    : event.key === "/" && !isTyping ? () => prompt.focus() : undefined;
  if (!does) return;
  event.preventDefault();
  does();
});

const shortcuts = {
  KeyN: startNew,
  KeyM: () => find("model").focus(),
  KeyC: () => sidebar.toggle(),
  KeyI: () => {
    find("instructions-box").open = true;
    instructions.focus();
  },
};

find("new-chat").addEventListener("click", startNew);
instructions.addEventListener("input", () => change({ instructions: instructions.value }));
onOtherTab({
  keeps(there) {
    sidebar.follow(there);
    if (there.id !== conversation.id) return;
    // Both may have been kept at the same moment: then the first is not in the second.
    if (merge(conversation, there)) keep(conversation);
    follow();
  },
  forgets(id) {
    const isShown = id === conversation.id;
    // This tab may have kept it anew before it heard of this.
    remove(id);
    if (isShown) sidebar.notice("The conversation was deleted in another tab.");
  },
  changed: () => sidebar.list(conversations()),
});
// What has come is kept as a stopped answer.
addEventListener("pagehide", () => {
  keepChange();
  current?.leave();
});
onKey(() => {
  picker.load();
  goOn();
});

const all = conversations();
sidebar.list(all);
if (all.length > 0) open(all[0]);
else show();
picker.load();
goOn();
