// The status page: queries the data again and again, and shows what comes.

import { ask, demandKey, onKey } from "./access.js";
import { find } from "./dom.js";
import { onFilter } from "./filters.js";
import { showKeys } from "./keys-view.js";
import { showMoney } from "./money-view.js";
import { startPage } from "./rail.js";
import { onMore, showStatus } from "./status-view.js";
import { shownView, showView } from "./views.js";
import { t } from "./words.js";

/** Between two queries, in milliseconds. */
const interval = 1000;

let isPaused = false;
/** For the next query; null while one is under way, or none is wanted. */
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
    // What another view shows is not queried.
    if (["requests", "usage"].includes(shownView())) showMoney();
    if (shownView() === "keys") showKeys();
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
  find("pause").textContent = t(isPaused ? "Resume" : "Pause");
  find("pause").setAttribute("aria-pressed", isPaused);
  if (isPaused) clearTimeout(timer);
  else refresh();
});

// Nobody looks at a hidden page.
document.addEventListener("visibilitychange", () => {
  clearTimeout(timer);
  if (!document.hidden && !isPaused && find("key-form").hidden) refresh();
});

const showAgain = () => {
  if (status !== null) showStatus(status);
};

addEventListener("hashchange", () => {
  showView();
  if (find("key-form").hidden) refresh();
});
startPage();
showView();
onFilter(showAgain);
onMore(showAgain);
onKey(refresh);
refresh();
