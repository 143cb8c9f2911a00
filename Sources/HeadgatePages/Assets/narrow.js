// One row for the header, also on a phone: what is not needed for every message moves into the list of conversations.

import { find } from "./dom.js";

export function fitHeader() {
  const narrow = matchMedia("(max-width: 49.99rem)");
  const header = document.querySelector("header");
  const moved = [document.querySelector("nav"), find("key-forget"), document.querySelector("[data-theme-toggle]")];
  const fit = () => (narrow.matches ? find("elsewhere") : header).append(...moved);
  narrow.addEventListener("change", fit);
  fit();
}
