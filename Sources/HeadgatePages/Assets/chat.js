// The chat page: what the reader does, and what follows from it.

import { onKey } from "./access.js";
import { Asking } from "./asking.js";
import { sweep } from "./attachment-store.js";
import { Composer } from "./composer.js";
import { showContext } from "./context-meter.js";
import { merge, newConversation, titleOf } from "./conversation.js";
import { element, find } from "./dom.js";
import { Follower } from "./follow.js";
import { conversations, forget, keep, latest, onOtherTab } from "./library.js";
import { listedModels, ModelPicker } from "./models.js";
import { startPage } from "./rail.js";
import { SettingsPanel } from "./settings-panel.js";
import { Sidebar } from "./sidebar.js";
import { Thread } from "./thread.js";
import { toast } from "./toast.js";
import { t } from "./words.js";

const send = find("send");
const follower = new Follower(find("scroller"), find("to-latest"));
const picker = new ModelPicker({ chose: (model) => change({ model }), listed: followModels });
const sidebar = new Sidebar({ opened: reopen, removed: remove, renamed: rename, exporting: keepAll });
const panel = new SettingsPanel(change);
const composer = new Composer({ send: submit, changed: show });
const thread = new Thread({
  edit: (message) => composer.edit(message),
  again: (message, model) => asking.again(message, model || picker.model),
  retry: (message) => asking.retry(message, choosing()),
  goOn: (message) => asking.goOn(message),
  dropOldest: (message) => asking.dropOldest(message, choosing()),
}, show);
const asking = new Asking(thread, {
  grown: () => follower.changed(),
  began(conversation) {
    sidebar.follow(conversation);
    thread.follow();
    follower.toEnd();
    announce(t("Answering."));
  },
  ended,
  notice: toast,
});

function reopen(id) {
  const other = id === thread.conversation.id ? null : latest(id);
  if (other === null) sidebar.closeIfNarrow();
  else open(other);
}

function open(other) {
  asking.stop();
  thread.present(other);
  if (composer.isEditing) composer.clear();
  panel.closeIfNarrow();
  follower.toEnd();
  sidebar.closeIfNarrow();
  composer.focus();
}

/** What shows the conversation besides its messages. */
function show() {
  const { conversation } = thread;
  panel.show(conversation);
  if (conversation.model !== "" && conversation.model !== picker.model) picker.choose(conversation.model);
  document.title = conversation.title === "" ? t("Headgate: chat") : `${conversation.title} (Headgate)`;
  send.ariaLabel = send.title = t(asking.isBusy ? "Stop" : "Send");
  send.classList.toggle("stop", asking.isBusy);
  find("messages").classList.toggle("busy", asking.isBusy);
  sidebar.mark(conversation.id);
  follower.changed();
  showContext(conversation, picker.model, composer.text, show);
  composer.doubt(asked());
}

/** The models that answer what is sent next. */
function asked() {
  return [picker.model, find("beside").value].filter((model, index) => index === 0 || model !== "");
}

function followModels() {
  const beside = find("beside");
  const chosen = beside.value;
  beside.replaceChildren(element("option", { value: "" }, t("no other model")),
    ...listedModels().map((name) => element("option", { value: name }, name)));
  beside.value = listedModels().includes(chosen) ? chosen : "";
  thread.follow();
}

function change(values) {
  thread.change(values);
  show();
}

/** The model that is chosen now, which the conversation goes on with. */
function choosing() {
  if (thread.conversation.model !== picker.model) thread.change({ model: picker.model });
  return picker.model;
}

function keepAll() {
  thread.keepChange();
  asking.keep();
}

function startNew() {
  open(newConversation({ model: picker.model }));
}

/** Deletes a conversation, which can be taken back as long as this page is there. */
function remove(id) {
  const gone = id === thread.conversation.id ? thread.conversation : latest(id);
  drop(id);
  if (gone === null) return;
  toast(t("“{title}” was deleted.", { title: gone.title || t("Untitled") }), () => {
    keep(gone);
    sidebar.follow(gone);
    open(gone);
  });
}

function drop(id) {
  asking.abandon(id);
  if (id === thread.conversation.id) thread.dropChange();
  forget(id);
  sidebar.drop(id);
  if (id === thread.conversation.id) startNew();
}

function rename(id, title) {
  const isShown = id === thread.conversation.id;
  const conversation = isShown ? thread.conversation : latest(id);
  if (conversation === null) return;
  const changed = Math.max(Date.now(), conversation.changed + 1);
  Object.assign(conversation, { title: titleOf(title), changed });
  if (isShown) thread.dropChange();
  keep(conversation);
  sidebar.follow(conversation);
  show();
}

function submit({ isKey = false } = {}) {
  if (asking.isBusy) {
    if (!isKey) asking.stop();
    return;
  }
  if (composer.isEmpty) return;
  choosing();
  asking.submit({ ...composer.take(), models: asked() });
}

function ended({ conversation, isAbandoned, message }, wasKept) {
  if (!isAbandoned) sidebar.follow(conversation);
  thread.follow();
  if (!wasKept) toast(t("This conversation is not stored: the browser's storage is full or closed to this page."));
  const said = message.content || message.refusal || "";
  announce(message.error ? t("The answer failed.") : `${message.stopped ? `${t("Stopped.")} ` : ""}${said}`);
}

/** For screen readers: once at the start and once at the end, never word by word. */
function announce(text) {
  // Screen readers do not read hundreds of combining marks, and a browser takes seconds to draw them in one line.
  find("announcer").textContent = text.replace(/(\p{M}{100})\p{M}+/gu, "$1");
}

addEventListener("keydown", (event) => {
  // The key belongs to an input method that composes a word.
  if (event.isComposing) return;
  if (event.key === "Escape") {
    if (asking.isBusy) asking.stop();
    else if (composer.isEditing) composer.clear();
    return;
  }
  const isTyping = event.target.closest("input, textarea, select") !== null;
  const does = event.altKey && !event.ctrlKey && !event.metaKey ? shortcuts[event.code]
    : event.key === "/" && !isTyping ? () => composer.focus() : undefined;
  if (!does) return;
  event.preventDefault();
  does();
});

const shortcuts = {
  KeyN: startNew,
  KeyM: () => picker.open(),
  KeyC: () => sidebar.toggle(),
  KeyI: () => panel.openInstructions(),
};

for (const button of find("suggestions").querySelectorAll("button")) {
  button.addEventListener("click", () => composer.suggest(button.textContent));
}
find("beside").addEventListener("change", show);
find("new-chat").addEventListener("click", startNew);
find("send-all").addEventListener("click", () => {
  change({ start: "" });
  thread.follow();
});
onOtherTab({
  keeps(there) {
    sidebar.follow(there);
    if (there.id !== thread.conversation.id) return;
    // Both may have been kept at the same moment: then the first is not in the second.
    if (merge(thread.conversation, there)) keep(thread.conversation);
    thread.follow();
  },
  forgets(id) {
    const isShown = id === thread.conversation.id;
    // This tab may have kept it anew before it heard of this.
    drop(id);
    if (isShown) toast(t("The conversation was deleted in another tab."));
  },
  changed: () => sidebar.list(conversations()),
});
// What has come is kept as a stopped answer.
addEventListener("pagehide", () => {
  thread.keepChange();
  asking.leave();
});
onKey(() => {
  picker.load();
  asking.resume(open);
});

const all = conversations();
startPage();
sidebar.list(all);
if (all.length > 0) open(all[0]);
else show();
composer.focus();
picker.load();
asking.resume(open);
sweep(new Set(all.flatMap(({ messages }) => messages).flatMap(({ attachments = [] }) => attachments)
  .map(({ id }) => id)));
