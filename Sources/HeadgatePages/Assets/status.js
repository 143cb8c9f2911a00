// The status page: asks for the data again and again, and shows what comes.

import { ask, demandKey, onKey } from "./access.js";
import { find } from "./dom.js";
import { onFilter } from "./filters.js";
import { showKeys } from "./keys-view.js";
import { showStatus } from "./status-view.js";
import { showUsage } from "./usage-view.js";

/** Between two questions, in milliseconds. */
const interval = 1000;

let isPaused = false;
/** For the next question; null while one is under way, or none is wanted. */
let timer = null;
/** What came last. */
let status = null;

async function refresh() {
  clearTimeout(timer);
  timer = null;
  try {
    status = await (await ask("/status/data")).json();
    showStatus(status);
    notice("");
    showUsage();
    showKeys();
  } catch (failure) {
    find("shown").classList.toggle("old", true);
    if (failure.status === 403) demandKey(failure.message);
    else if (failure.status !== 401) notice(failure.message);
    // Without the right key there is nothing to ask for.
    if (failure.status === 401 || failure.status === 403) return;
  }
  later();
}

function later() {
  if (!isPaused && !document.hidden) timer = setTimeout(refresh, interval);
}

function notice(text) {
  find("notice").textContent = text;
  find("notice").hidden = text === "";
}

find("pause").addEventListener("click", () => {
  isPaused = !isPaused;
  find("pause").textContent = isPaused ? "Resume" : "Pause";
  find("pause").setAttribute("aria-pressed", isPaused);
  if (isPaused) clearTimeout(timer);
  else refresh();
});

// Nobody looks at a hidden page.
document.addEventListener("visibilitychange", () => {
  clearTimeout(timer);
  if (!document.hidden && !isPaused && find("key-form").hidden) refresh();
});

onFilter(() => {
  if (status !== null) showStatus(status);
});
onKey(refresh);
refresh();
