// The pages' own icons: paths on a grid of 20 by 20, drawn with a stroke of the text's colour.

import { shape } from "./dom.js";

const paths = new Map([
  ["gate", "M3 4h14M5 4v13M15 4v13M5 9h10M5 13h10"],
  ["chat",
    "M3 5.5A1.5 1.5 0 0 1 4.5 4h11A1.5 1.5 0 0 1 17 5.5v7a1.5 1.5 0 0 1-1.5 1.5H9l-4 3v-3h-.5A1.5 1.5 0 0 1 3 12.5z"],
  ["status", "M2 11h4l2-6 4 11 2-5h4"],
  ["key", "M12.5 11.5a4 4 0 1 0-3.4-1.9L3 15.7V17h3v-2h2v-2h1.5l1.4-1.6M13.5 6.5h.01"],
  ["usage", "M3 3v14h14M7 14v-4M11 14V6M15 14v-6"],
  ["docs", "M4 4.5A1.5 1.5 0 0 1 5.5 3H16v11H5.5A1.5 1.5 0 0 0 4 15.5zM4 15.5A1.5 1.5 0 0 0 5.5 17H16v-3"],
  ["sun", "M10 6.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7M10 2v1.5M10 16.5V18M2 10h1.5M16.5 10H18"
    + "M4.3 4.3l1.1 1.1M14.6 14.6l1.1 1.1M4.3 15.7l1.1-1.1M14.6 5.4l1.1-1.1"],
  ["moon", "M16.5 12A7 7 0 0 1 8 3.5a7 7 0 1 0 8.5 8.5z"],
  ["leave", "M8 4H4v12h4M12 6l4 4-4 4M16 10H8"],
  ["menu", "M3 5h14v10H3zM8 5v10"],
  ["plus", "M10 4v12M4 10h12"],
  ["more", "M4.5 10h.01M10 10h.01M15.5 10h.01"],
  ["edit", "M4 16l.8-3.4L13 4.4l2.6 2.6-8.2 8.2zM11.5 6l2.6 2.6"],
  ["delete", "M4 6h12M8 6V4h4v2M6 6l.7 10h6.6L14 6"],
  ["copy", "M7 7V3.5h9.5V13H13M3.5 7H13v9.5H3.5z"],
  ["check", "M4 10.5l4 4 8-9"],
  ["again", "M16 10a6 6 0 1 1-2-4.5M16 3v3.5h-3.5"],
  ["forward", "M5 4l6 6-6 6M11 4l6 6-6 6"],
  ["send", "M10 16V4M4.5 9.5L10 4l5.5 5.5"],
  ["stop", "M6 6h8v8H6z"],
  ["attach", "M15.5 9.5l-5.8 5.8a3.5 3.5 0 0 1-5-5l6.3-6.3a2.3 2.3 0 0 1 3.3 3.3l-6 6a1.1 1.1 0 0 1-1.6-1.6l5.3-5.3"],
  ["camera", "M3 6.5h3L7.5 4h5L14 6.5h3V16H3zM10 8.5a2.7 2.7 0 1 0 0 5.4 2.7 2.7 0 0 0 0-5.4"],
  ["settings", "M3 6h7M14 6h3M3 14h3M10 14h7M12 4v4M8 12v4"],
  ["close", "M5 5l10 10M15 5L5 15"],
  ["down", "M5 8l5 5 5-5"],
  ["left", "M12 5l-5 5 5 5"],
  ["right", "M8 5l5 5-5 5"],
  ["info", "M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14M10 9v5M10 6.3h.01"],
  ["file", "M5 3h7l4 4v10H5zM12 3v4h4"],
]);

export function icon(name) {
  return shape("svg", { class: "icon", viewBox: "0 0 20 20", "aria-hidden": "true" },
    shape("path", { d: paths.get(name) }));
}

/** Draws the icons that the page names in its markup. */
export function placeIcons() {
  for (const node of document.querySelectorAll("[data-icon]")) node.replaceChildren(icon(node.dataset.icon));
}
