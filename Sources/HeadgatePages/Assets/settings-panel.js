// What a conversation is held with besides its model: the system prompt and its presets, and how an answer is made.

import { checkedSettings } from "./checked.js";
import { element, find } from "./dom.js";
import { forgetPreset, keepPreset, onPresets, presets } from "./presets.js";
import { toast } from "./toast.js";
import { t } from "./words.js";

const instructions = find("instructions");
const fields = { temperature: find("temperature"), topP: find("top-p"), maxTokens: find("max-tokens"),
  window: find("window") };

export class SettingsPanel {
  #changed;
  #presets = [];

  /** `changed` is called with the values that are new. */
  constructor(changed) {
    this.#changed = changed;
    instructions.addEventListener("input", () => {
      this.#markPreset();
      changed({ instructions: instructions.value });
    });
    for (const field of Object.values(fields)) field.addEventListener("input", () => this.#take());
    find("preset").addEventListener("change", () => this.#use(find("preset").value));
    find("preset-keep").addEventListener("click", () => this.#keep());
    find("preset-forget").addEventListener("click", () => {
      forgetPreset(find("preset").value);
      this.#listPresets();
    });
    find("settings-open").addEventListener("click", () => this.#open(find("settings").hidden));
    const close = () => {
      this.#open(false);
      find("settings-open").focus();
    };
    find("settings-close").addEventListener("click", close);
    find("settings").addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      close();
    });
    onPresets(() => this.#listPresets());
    this.#listPresets();
  }

  /** Shows those of a conversation, and leaves alone what the reader is writing. */
  show(conversation) {
    if (instructions.value !== conversation.instructions) {
      instructions.value = conversation.instructions;
      this.#markPreset();
    }
    for (const [name, field] of Object.entries(fields)) {
      const value = String(conversation.settings[name] ?? "");
      // Half a number is none yet.
      if (field === document.activeElement) continue;
      if (Number(field.value) !== Number(value) || (field.value === "") !== (value === "")) field.value = value;
    }
    this.#count(conversation.settings);
  }

  /** On a narrow screen the drawer covers the messages. */
  closeIfNarrow() {
    if (!matchMedia("(min-width: 75rem)").matches) this.#open(false);
  }

  openInstructions() {
    this.#open(true);
    instructions.focus();
  }

  #open(isOpen) {
    find("settings").hidden = !isOpen;
    find("settings-open").setAttribute("aria-expanded", String(isOpen));
  }

  #take() {
    const values = {};
    for (const [name, field] of Object.entries(fields)) {
      if (field.value !== "" && field.checkValidity()) values[name] = field.valueAsNumber;
    }
    const settings = checkedSettings(values);
    this.#count(settings);
    this.#changed({ settings });
  }

  /** That something is set is seen also while the drawer is closed. */
  #count(settings) {
    const count = Object.keys(settings).length;
    find("settings-count").textContent = count === 0 ? "" : ` (${count})`;
  }

  #listPresets() {
    this.#presets = presets();
    const names = this.#presets.map(({ name }) => name);
    find("preset").replaceChildren(
      element("option", { value: "" }, names.length === 0 ? t("No presets yet") : t("Preset…")),
      ...names.map((name) => element("option", { value: name }, name)));
    this.#markPreset();
  }

  #markPreset() {
    const same = this.#presets.find(({ text }) => text === instructions.value);
    find("preset").value = same?.name ?? "";
    find("preset-forget").disabled = same === undefined;
    find("preset-keep").disabled = same !== undefined || instructions.value.trim() === "";
  }

  #use(name) {
    const preset = this.#presets.find((one) => one.name === name);
    if (preset === undefined) return;
    instructions.value = preset.text;
    this.#markPreset();
    this.#changed({ instructions: preset.text });
  }

  #keep() {
    const name = prompt(t("Name of the preset"))?.trim().slice(0, 80);
    if (!name) return;
    const isKept = keepPreset(name, instructions.value);
    if (!isKept) toast(t("The preset is not stored: the browser's storage is full or closed."));
    this.#listPresets();
  }
}
