// The chat page: what the reader does, and what follows from it.

import { onKey } from "./access.js";
import { Answering } from "./answering.js";
import { newConversation, titleOf } from "./conversation.js";
import { find } from "./dom.js";
import { Follower } from "./follow.js";
import { conversations, forget, keep, onKept } from "./library.js";
import { MessageView } from "./message-view.js";
import { ModelPicker } from "./models.js";
import { Sidebar } from "./sidebar.js";

const [prompt, instructions, send] = ["prompt", "instructions", "send"].map(find);
const follower = new Follower(find("scroller"), find("to-latest"));
const picker = new ModelPicker((model) => change({ model }));
const sidebar = new Sidebar({ opened: open, removed: remove });
let conversation = newConversation();
/** The Answering under way. */
let current = null;

function open(other) {
  // What is in the list may be older than what is here.
  if (other.id === conversation.id) return sidebar.closeIfNarrow();
  current?.stop();
  present(other);
  find("instructions-box").open = false;
  follower.toEnd();
  sidebar.closeIfNarrow();
  prompt.focus();
}

function present(other) {
  conversation = other;
  find("messages").replaceChildren(...conversation.messages.map((message) => new MessageView(message, retry).node));
  instructions.value = conversation.instructions;
  if (conversation.model !== "") picker.choose(conversation.model);
  show();
}

function show() {
  find("greeting").hidden = conversation.messages.length > 0;
  document.title = conversation.title === "" ? "Headgate: chat" : `${conversation.title} (Headgate)`;
  send.textContent = current === null ? "Send" : "Stop";
  send.classList.toggle("stop", current !== null);
  sidebar.show(conversation.id);
}

/** Changes what the conversation is held with. One without messages is not kept. */
function change(values) {
  Object.assign(conversation, values);
  if (conversation.messages.length > 0) keep(conversation);
}

function startNew() {
  open(newConversation({ model: picker.model }));
}

function remove(other) {
  if (other.id === current?.conversation.id) current.abandon();
  forget(other);
  if (other.id === conversation.id) startNew();
  else sidebar.show();
}

function submit() {
  const text = prompt.value;
  if (current !== null || text.trim() === "") return;
  prompt.value = "";
  append({ role: "user", content: text });
  if (conversation.title === "") conversation.title = titleOf(text);
  answer();
}

function append(message) {
  const view = new MessageView(message, retry);
  conversation.messages.push(message);
  find("messages").append(view.node);
  return view;
}

/** Asks again in place of a failed answer, if it is the last message. */
function retry(message) {
  if (current !== null || conversation.messages.at(-1) !== message) return;
  conversation.messages.pop();
  find("messages").lastChild.remove();
  answer();
}

async function answer() {
  conversation.model = picker.model;
  const message = { role: "assistant", content: "", model: conversation.model };
  const answering = new Answering(conversation, message, append(message), () => follower.changed());
  current = answering;
  const isKept = answering.keep();
  show();
  follower.toEnd();
  announce("Answering.");
  const wasKept = (await answering.run()) && isKept;
  if (current === answering) current = null;
  show();
  if (!wasKept) sidebar.notice("This conversation is not kept: the browser's storage is full or closed to this page.");
  announce(message.error ? "The answer failed." : `${message.stopped ? "Stopped. " : ""}${message.content}`);
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
// Another tab has gone on with this conversation: what is kept from here on must not undo that.
onKept((id) => {
  if (current !== null || id !== conversation.id) return;
  const kept = conversations().find((other) => other.id === id);
  if (kept) present(kept);
});
// What has come is kept as a stopped answer.
addEventListener("pagehide", () => current?.keep());
onKey(() => picker.load());

const [latest] = conversations();
if (latest) open(latest);
else show();
picker.load();
