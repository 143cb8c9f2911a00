// Light or dark: as the system has it until the reader chooses. Runs before the page is painted, so it is no module.
"use strict";

(() => {
  const place = "headgate.theme";
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");

  const kept = () => {
    try {
      return localStorage.getItem(place);
    } catch {
      return null;
    }
  };
  const keep = (theme) => {
    try {
      localStorage.setItem(place, theme);
    } catch {
      // It holds for this page, then.
    }
  };

  if (kept() === "light" || kept() === "dark") root.dataset.theme = kept();
  const shown = () => root.dataset.theme ?? (system.matches ? "dark" : "light");
  // Swagger UI, on the page of the routes, knows the theme by a class; so do the two faces of the button.
  const mark = () => root.classList.toggle("dark-mode", shown() === "dark");
  mark();

  addEventListener("DOMContentLoaded", () => {
    const button = document.querySelector("[data-theme-toggle]");
    button.addEventListener("click", () => {
      root.dataset.theme = shown() === "dark" ? "light" : "dark";
      keep(root.dataset.theme);
      mark();
    });
    system.addEventListener("change", mark);
  });
})();
