// What all pages begin with: their language, their icons, and the mark at the page that is shown.

import { placeIcons } from "./icons.js";
import { translatePage } from "./words.js";

export function startPage() {
  translatePage();
  placeIcons();
  markPage();
  addEventListener("hashchange", markPage);
}

/** Two links lead to views of one page: the one that says more of the address counts. */
function markPage() {
  const links = [...document.querySelectorAll(".rail a")];
  const exact = links.find((link) => link.pathname === location.pathname && link.hash === location.hash);
  const shown = exact ?? links.find((link) => link.pathname === location.pathname);
  for (const link of links) {
    if (link === shown) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}
