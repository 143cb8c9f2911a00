// The views of the status page. The address names the one that is shown, as in `/status#keys`.

import { find } from "./dom.js";
import { t } from "./words.js";

/** By their names in the address, with the page's heading there. */
const views = new Map([["requests", "Status"], ["usage", "Usage"], ["keys", "Keys"], ["upstreams", "Upstreams"]]);

export function shownView() {
  const name = location.hash.slice(1);
  return views.has(name) ? name : "requests";
}

export function showView() {
  const shown = shownView();
  for (const name of views.keys()) {
    find(`${name}-view`).hidden = name !== shown;
    const tab = document.querySelector(`.tabs a[href="#${name}"]`);
    if (name === shown) tab.setAttribute("aria-current", "page");
    else tab.removeAttribute("aria-current");
  }
  find("title").textContent = t(views.get(shown));
}
