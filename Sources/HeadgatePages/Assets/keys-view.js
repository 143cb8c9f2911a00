// The client keys: who is let in, and the dialogs that make, rotate and revoke them. A new key is shown once, and
// leaves the page with its dialog.

import { ask } from "./access.js";
import { find } from "./dom.js";
import { setText, showRows } from "./rows.js";

/** Between two questions, in milliseconds. */
const interval = 5000;
/** Of one answer. */
const mostKeys = 1000;
const path = "/v1/admin/keys";
let askedAt = -Infinity;
let questions = 0;
let limit = 100;

/** Asks anew when it is time to. */
export async function showKeys() {
  if (performance.now() - askedAt < interval) return;
  askedAt = performance.now();
  const question = ++questions;
  try {
    const list = await (await ask(`${path}?limit=${limit}`)).json();
    // A later one, after a change, knows more.
    if (question !== questions) return;
    showRows(find("keys"), list.data.map(row));
    find("keys-shown").hidden = false;
    find("keys-more").hidden = !list.has_more || limit === mostKeys;
    notice(list.has_more && limit === mostKeys ? "There are more: 'headgate key list' shows all of them." : "");
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
  const day = (time) => (time === null ? "" : time.slice(0, 10));
  const cells = [
    { text: key.name }, { text: state(key), style: `mark ${key.is_expired || key.problem ? "bad" : "good"}` },
    { text: key.models.join(", ") }, { text: settings(key) }, { text: day(key.created) }, { text: day(key.expires) },
  ];
  const actions = key.managed
    ? [{ text: "Rotate", act: () => rotate(key.name), label: `Rotate ${key.name}` },
       { text: "Revoke", act: () => revoke(key.name), label: `Revoke ${key.name}` }]
    : [{ text: "" }, { text: "" }];
  return { key: `${key.managed ? "managed" : "configured"} ${key.name}`, title: key.problem, cells: [...cells, ...actions] };
}

function state(key) {
  if (key.problem) return "refused";
  if (key.is_expired) return "expired";
  if (key.former_until !== null) return "rotated, both let in";
  return key.managed ? "managed" : "in the configuration";
}

/** Whatever it has besides, as it was set. */
function settings(key) {
  const common = ["name", "managed", "models", "created", "expires", "is_expired", "former_until", "problem", "admin",
    "budget_use"];
  const others = Object.entries(key).filter(([name]) => !common.includes(name)).map(([name, value]) =>
    `${name}: ${typeof value === "string" ? value : Object.entries(value).map((part) => part.join(" ")).join(", ")}`);
  return [key.admin ? "admin" : null, ...others, use(key.budget_use)].filter((text) => text !== null).join("; ");
}

/** Of its budget, where it has one. */
function use(budget) {
  if (budget === undefined) return null;
  const [day, minute] = [budget.until.slice(0, 10), budget.until.slice(11, 16)];
  const part = budget.used === undefined ? "an unknown part" : `${Math.floor(100 * budget.used / budget.amount)} %`;
  const unit = budget.unit === "usd" ? "USD" : "tokens";
  return `${part} of ${budget.amount} ${unit} used until ${day} ${minute} UTC`;
}

// Making one

function wish(form) {
  const text = (name) => form.elements[name].value.trim();
  const names = text("models").split(",").map((name) => name.trim()).filter((name) => name !== "");
  const limits = {};
  for (const name of ["requests", "tokens"]) if (text(name) !== "") limits[name] = text(name);
  if (text("in_flight") !== "") limits.in_flight = Number(text("in_flight"));
  const wanted = { name: text("name") };
  if (names.length > 0) wanted.models = names;
  if (Object.keys(limits).length > 0) wanted.limits = limits;
  for (const name of ["group", "expires"]) if (text(name) !== "") wanted[name] = text(name);
  if (form.elements.admin.checked) wanted.admin = true;
  return wanted;
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
  setText(find("made-copied"), "");
  find("key-made").showModal();
  find("made-key").select();
}

// Ending one

let sure = null;

function open(dialog) {
  complain(dialog, "");
  dialog.showModal();
}

function rotate(name) {
  sure = () => post(`${path}/${encodeURIComponent(name)}/rotate`, graceOf(find("sure-grace").value));
  ready(`Rotate ${name}?`, "It gets another key. Name, limits and what was made with it stay.", "Rotate", true);
}

const graceOf = (value) => (value === "" ? {} : { grace: value });

function revoke(name) {
  sure = () => ask(`${path}/${encodeURIComponent(name)}`, { method: "DELETE" });
  ready(`Revoke ${name}?`, "Nobody is let in with it any more. What is in flight ends as usual.", "Revoke", false);
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
find("made-close").addEventListener("click", () => find("key-made").close());
find("key-made").addEventListener("close", () => {
  find("made-key").value = "";
});
find("made-copy").addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(find("made-key").value);
    setText(find("made-copied"), "Copied.");
  } catch {
    // Without a secure context there is no clipboard: the text is selected for the reader's own keys.
    find("made-key").select();
    setText(find("made-copied"), "Selected: copy it now.");
  }
});
find("keys-more").addEventListener("click", () => {
  limit = mostKeys;
  again();
});
