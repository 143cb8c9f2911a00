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
  // The page of the routes has a style of others, which knows it by a class.
  const mark = () => root.classList.toggle("dark-mode", shown() === "dark");
  mark();

  addEventListener("DOMContentLoaded", () => {
    const button = document.querySelector("[data-theme-toggle]");
    const label = () => {
      mark();
      button.textContent = shown() === "dark" ? "Light" : "Dark";
      button.setAttribute("aria-label", `Use ${shown() === "dark" ? "light" : "dark"} colours`);
    };
    button.addEventListener("click", () => {
      root.dataset.theme = shown() === "dark" ? "light" : "dark";
      keep(root.dataset.theme);
      label();
    });
    system.addEventListener("change", label);
    label();
  });
})();
