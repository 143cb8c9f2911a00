// Requests to the gateway, with its key where it asks for one. The key lives in this variable and nowhere else.

import { find } from "./dom.js";
import { Failure } from "./failure.js";

let key = "";

/** A response with a good status; throws a Failure. */
export async function ask(path, options = {}) {
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
  if (failure.status === 401) demandKey(key === "" ? "" : "The gateway does not know this key.");
  throw failure;
}

/** Calls back when a key was entered. */
export function onKey(entered) {
  find("key-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const typed = find("key").value.trim();
    if (!/^[\x21-\x7e]+$/.test(typed)) return demandKey("A key has only letters, digits and signs, without spaces.");
    key = typed;
    find("key").value = "";
    find("key-form").hidden = true;
    entered();
  });
}

/** Shows where to enter a key. */
export function demandKey(notice) {
  const wasHidden = find("key-form").hidden;
  find("key-form").hidden = false;
  find("key-notice").textContent = notice;
  if (wasHidden) find("key").focus();
}
