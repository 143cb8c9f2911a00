// Requests to the gateway, with its key where it asks for one.

import { find } from "./dom.js";
import { Failure } from "./failure.js";
import { broughtCode, forgetKey, isKey, isRemembered, keepKey, keptKey } from "./key.js";
import { t } from "./words.js";

let key = keptKey();
/** Why a code that came with the address made no key; empty if none did. */
let problem = "";
/** Ends once a code that came with the address is exchanged for a key. */
const pairing = pair(broughtCode());

/** Exchanges a code for this device's own key, and keeps it here: the code works once. */
async function pair(code) {
  if (code === null) return;
  try {
    const response = await fetch(`/v1/pairings/${code}`, { method: "POST", cache: "no-store", credentials: "omit" });
    if (!response.ok) throw await Failure.of(response);
    key = (await response.json()).key;
    keepKey(key, true);
    showKey();
  } catch (failure) {
    problem = (failure instanceof Failure ? failure : Failure.ofNetwork()).message;
    demandKey(problem);
  }
}

/** A response with a good status; throws a Failure. */
export async function ask(path, options = {}) {
  await pairing;
  const headers = { ...options.headers };
  if (key !== "") headers.Authorization = `Bearer ${key}`;
  let response;
  try {
    response = await fetch(path, { ...options, headers, cache: "no-store", credentials: "omit", redirect: "error" });
  } catch (error) {
    throw error.name === "AbortError" ? error : Failure.ofNetwork();
  }
  if (response.ok) return response;
  const failure = await Failure.of(response);
  if (failure.status === 401) refuse(headers.Authorization);
  throw failure;
}

/** Another key may have been entered since the one that is refused was sent. */
function refuse(authorization) {
  if (authorization !== undefined && authorization !== `Bearer ${key}`) return;
  demandKey(key === "" ? problem : t("The gateway does not know this key."));
  key = "";
  forgetKey();
  showKey();
}

/** Calls back when a key was entered, or taken back. */
export function onKey(entered) {
  showKey();
  find("key-forget").addEventListener("click", () => {
    key = "";
    forgetKey();
    showKey();
    entered();
  });
  find("key-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const typed = find("key").value.trim();
    if (!isKey(typed)) return demandKey(t("A key has only letters, digits and signs, without spaces."));
    key = typed;
    keepKey(key, find("key-remember").checked);
    find("key").value = "";
    find("key-form").hidden = true;
    showKey();
    entered();
  });
}

/** What is kept can be taken back. */
function showKey() {
  find("key-forget").hidden = key === "";
  find("key-remember").checked = isRemembered();
}

/** Shows where to enter a key. */
export function demandKey(notice) {
  const wasHidden = find("key-form").hidden;
  find("key-form").hidden = false;
  find("key-notice").textContent = notice;
  if (wasHidden) find("key").focus();
}
