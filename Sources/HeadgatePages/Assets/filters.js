// Which requests are shown: of one model, key or outcome. The choice stands in the address, and so outlives a reload.

import { element, find } from "./dom.js";
import { outcomeOf } from "./terms.js";

const members = ["model", "key", "outcome"];
/** What was chosen, also while no request is there that has it. */
const chosen = new Map();

/** Calls back when the choice has changed. */
export function onFilter(changed) {
  const address = new URLSearchParams(location.search);
  for (const member of members) {
    if (address.has(member)) chosen.set(member, address.get(member));
    find(`only-${member}`).addEventListener("change", (event) => {
      if (event.target.selectedIndex === 0) chosen.delete(member);
      else chosen.set(member, event.target.value);
      const query = new URLSearchParams([...chosen]).toString();
      history.replaceState(null, "", (query === "" ? location.pathname : `?${query}`) + location.hash);
      changed();
    });
  }
}

/** The requests that are wanted; offers what there is to choose from. */
export function filtered(requests) {
  for (const member of members) offer(find(`only-${member}`), member, requests);
  return requests.filter((request) =>
    members.every((member) => !chosen.has(member) || request[member] === chosen.get(member)));
}

export const isFiltered = () => chosen.size > 0;

function offer(list, member, requests) {
  const values = new Set(requests.map((request) => request[member]).filter((value) => value !== undefined));
  if (chosen.has(member)) values.add(chosen.get(member));
  const sorted = [...values].sort();
  const shown = [...list.options].slice(1).map((option) => option.value);
  // An open list is not to change under the reader's hand without need.
  if (sorted.join("\n") !== shown.join("\n")) {
    const options = sorted.map((value) =>
      element("option", { value }, member === "outcome" ? outcomeOf(value) : value));
    list.replaceChildren(list.options[0], ...options);
  }
  const wanted = chosen.has(member) ? sorted.indexOf(chosen.get(member)) + 1 : 0;
  if (list.selectedIndex !== wanted) list.selectedIndex = wanted;
}
