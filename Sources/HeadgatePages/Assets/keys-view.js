// The client keys: who is let in, and the dialogs that make, rotate and revoke them. A new key is shown once, and
// leaves the page with its dialog.

import { ask } from "./access.js";
import { copy } from "./clipboard.js";
import { element, find } from "./dom.js";
import { budgetIn, limitsIn, settingsIn } from "./key-words.js";
import { hideUse, showUse } from "./key-use.js";
import { setText, showRows } from "./rows.js";
import { locale, t } from "./words.js";

/** Between two queries, in milliseconds. */
const interval = 5000;
/** Of one response. */
const mostKeys = 1000;
const path = "/v1/admin/keys";
let askedAt = -Infinity;
let queries = 0;
let limit = 100;

/** Queries again when it is time to. */
export async function showKeys() {
  if (performance.now() - askedAt < interval) return;
  askedAt = performance.now();
  const query = ++queries;
  try {
    const list = await (await ask(`${path}?limit=${limit}`)).json();
    // A later one, after a change, knows more.
    if (query !== queries) return;
    showRows(find("keys-rows"), list.data.map(row));
    find("keys-shown").hidden = false;
    find("keys-more").hidden = !list.has_more || limit === mostKeys;
    notice(list.has_more && limit === mostKeys ? t("There are more: 'headgate key list' shows all of them.") : "");
  } catch (failure) {
    notice(failure.message);
  }
}

function again() {
  askedAt = -Infinity;
  return showKeys();
}

function notice(text) {
  setText(find("keys-notice"), text);
  find("keys-notice").hidden = text === "";
}

function row(key) {
  const isOver = key.is_expired || key.problem;
  const cells = [
    { text: key.name, style: "name" },
    { text: state(key) + (key.admin ? t(", admin") : ""), style: `mark ${isOver ? "bad" : "good"}` }, budget(key),
    { text: [key.group ? t("group {name}", { name: key.group }) : "", limitsIn(key.limits),
      key.priority === "batch" ? t("batch, behind all others") : ""].filter(Boolean).join(", ") },
    { text: key.models.join(", ") || t("all") }, { text: date(key.expires) },
  ];
  const actions = key.managed
    ? [{ text: t("Rotate"), act: () => rotate(key.name), label: t("Rotate {name}", { name: key.name }) },
       { text: t("Revoke"), act: () => revoke(key.name), label: t("Revoke {name}", { name: key.name }) }]
    : [{ text: "" }, { text: "" }];
  const kind = `${key.managed ? "managed" : "configured"} ${cells[2].meter === undefined ? "" : "counted"}`;
  return { key: `${kind} ${key.name}`, title: key.problem, cells: [...cells, ...actions] };
}

const date = (time) => (time === null ? "" : Number.isNaN(Date.parse(time)) ? time
  : new Date(time).toLocaleDateString(locale, { dateStyle: "medium", timeZone: "UTC" }));

function state(key) {
  if (key.problem) return t("refused");
  if (key.is_expired) return t("expired");
  if (key.former_until !== null) return t("rotated, both let in");
  return key.managed ? t("managed") : t("in the configuration");
}

function budget(key) {
  return key.budget === undefined && key.budget_use === undefined ? { text: "" } : budgetIn(key.budget, key.budget_use);
}

// Making one

function wish(form) {
  const wanted = settingsIn((name) => form.elements[name].value.trim());
  return form.elements.admin.checked ? { ...wanted, admin: true } : wanted;
}

async function offerModels() {
  const names = (await (await ask("/v1/models")).json()).data.map(({ id }) => id);
  find("known-models").replaceChildren(...names.map((value) => element("option", { value })));
}

const post = (place, body) =>
  ask(place, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });

function complain(dialog, text) {
  setText(dialog.querySelector("[role=alert]"), text);
}

/** Does what a dialog asks for; it stays open where that fails. */
async function submit(dialog, act) {
  const buttons = dialog.querySelectorAll("button");
  for (const button of buttons) button.disabled = true;
  complain(dialog, "");
  try {
    const made = await (await act()).json();
    dialog.close();
    if (made.key) showMade(made);
  } catch (failure) {
    complain(dialog, failure.message);
  } finally {
    for (const button of buttons) button.disabled = false;
  }
  await again();
}

function showMade({ name, key }) {
  setText(find("made-name"), name);
  find("made-key").value = key;
  showUse(key);
  find("key-made").showModal();
  find("made-key").select();
}

function forgetMade() {
  find("made-key").value = "";
  hideUse();
}

// Ending one

let sure = null;

function open(dialog) {
  complain(dialog, "");
  dialog.showModal();
}

function rotate(name) {
  sure = () => post(`${path}/${encodeURIComponent(name)}/rotate`, graceOf(find("sure-grace").value));
  ready(t("Rotate {name}?", { name }), t("It gets another key. Name, limits and what was made with it stay."),
    t("Rotate"), true);
}

const graceOf = (value) => (value === "" ? {} : { grace: value });

function revoke(name) {
  sure = () => ask(`${path}/${encodeURIComponent(name)}`, { method: "DELETE" });
  ready(t("Revoke {name}?", { name }), t("Requests with it are refused from now on. Those in flight end as usual."),
    t("Revoke"), false);
}

function ready(title, text, action, hasGrace) {
  setText(find("sure-title"), title);
  setText(find("sure-text"), text);
  setText(find("sure-act"), action);
  find("sure-grace-line").hidden = !hasGrace;
  open(find("key-sure"));
  find("sure-cancel").focus();
}

find("key-add").addEventListener("click", () => {
  find("new-key-form").reset();
  open(find("new-key"));
  // Without the list a name can be written all the same.
  offerModels().catch(() => {});
});
find("new-key-form").addEventListener("submit", (event) => {
  event.preventDefault();
  submit(find("new-key"), () => post(path, wish(event.target)));
});
find("new-key-cancel").addEventListener("click", () => find("new-key").close());
find("sure-form").addEventListener("submit", (event) => {
  event.preventDefault();
  submit(find("key-sure"), sure);
});
find("sure-cancel").addEventListener("click", () => find("key-sure").close());
find("made-close").addEventListener("click", () => {
  // The event of the end comes a moment after it.
  forgetMade();
  find("key-made").close();
});
find("key-made").addEventListener("close", forgetMade);
find("made-copy").addEventListener("click", () => 
  copy(find("made-key").value, find("made-copy"), () => find("made-key")));
find("keys-more").addEventListener("click", () => {
  limit = mostKeys;
  again();
});
