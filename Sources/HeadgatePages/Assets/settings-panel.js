// What a conversation is held with besides its model: the system prompt and its presets, and how an answer is made.

import { checkedSettings } from "./checked.js";
import { element, find } from "./dom.js";
import { forgetPreset, keepPreset, onPresets, presets } from "./presets.js";

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

  close() {
    find("instructions-box").open = false;
    find("settings-box").open = false;
  }

  openInstructions() {
    find("instructions-box").open = true;
    instructions.focus();
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

  /** That something is set is seen also where the panel is closed. */
  #count(settings) {
    const count = Object.keys(settings).length;
    find("settings-count").textContent = count === 0 ? "" : ` (${count})`;
  }

  #listPresets() {
    this.#presets = presets();
    const names = this.#presets.map(({ name }) => name);
    find("preset").replaceChildren(element("option", { value: "" }, names.length === 0 ? "No presets yet" : "Preset…"),
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
    const name = prompt("Name of the preset")?.trim().slice(0, 80);
    if (!name) return;
    const isKept = keepPreset(name, instructions.value);
    find("preset-notice").textContent = isKept ? "" : "It is not kept: the browser's storage is full or closed.";
    this.#listPresets();
  }
}
