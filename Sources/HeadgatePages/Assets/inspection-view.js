// The content of a request, if the gateway stores it: prompt, answer with times, and what upstreams were sent.

import { ask } from "./access.js";
import { copy } from "./clipboard.js";
import { element, find, plainNodes } from "./dom.js";
import { events } from "./events.js";
import { milliseconds, whole } from "./figures.js";
import { answerOf, parsed, promptOf, saidBy, visible, written } from "./inspected-text.js";
import { t } from "./words.js";

/** Ends what the last opened request has begun. */
let work = new AbortController();

/** Shows the content of a request of the list, as soon as it has come. */
export async function showInspection(request) {
  hideInspection();
  if (request.inspection === undefined) return;
  const { signal } = work;
  find("inspection").hidden = false;
  find("request").classList.add("inspected");
  try {
    const content = await (await ask(`/v1/admin/requests/${request.inspection}`, { signal })).json();
    const models = await (await ask("/v1/models", { signal })).json();
    const names = models.data.map(({ id }) => id).filter((id) => typeof id === "string");
    if (!signal.aborted) find("inspection").replaceChildren(...sections(content, names));
  } catch (failure) {
    if (!signal.aborted) find("inspection").replaceChildren(element("p", { role: "status" }, failure.message));
  }
}

export function hideInspection() {
  work.abort();
  work = new AbortController();
  find("inspection").hidden = true;
  find("inspection").replaceChildren();
  find("request").classList.remove("inspected");
}

function sections(content, models) {
  const request = parsed(content.body.text === undefined ? { text: "", cut: false } : content.body);
  const { messages, tools, parameters } = promptOf(request);
  const pieces = content.response.pieces ?? [];
  const answer = answerOf(pieces);
  return [
    actions(content, request, models),
    section("Prompt", ...note(content.body), ...messages.map(({ role, text }) =>
      element("div", { class: "said" }, element("h4", {}, visible(role)), block(text, role))),
    messages.length === 0 && content.body.text ? block(content.body.text, t("Prompt")) : null),
    tools.length === 0 ? null : section("Tools",
      ...tools.map(({ name, text }) => folded(visible(name), block(text, name)))),
    parameters.length === 0 ? null : section("Parameters", element("dl", { class: "facts" }, ...parameters.map(
      ([name, value]) => element("div", {}, element("dt", {}, visible(name)),
        element("dd", {}, visible(typeof value === "string" ? value : written(value))))))),
    section("Answer", ...note(content.response), content.error ? block(content.error, t("Error")) : null,
      answer.length > 0 ? block(answer.map(({ text }) => text).join(""), t("Answer")) : null,
      answer.length > 1 ? folded(t("As it streamed"), streamed(answer)) : null,
      pieces.length === 0 ? null : folded(t("As it was sent"),
        block(pieces.map(({ text }) => text).join(""), t("As it was sent")))),
    content.attempts.length === 0 ? null : section("Sent upstream", ...content.attempts.map(attemptView)),
  ].filter((node) => node !== null);
}

function section(title, ...children) {
  return element("section", { "aria-label": t(title) }, element("h3", {}, t(title)), ...children);
}

/** Text of others, as a text to read and to scroll with the keyboard. */
function block(text, label) {
  return element("pre", { tabindex: 0, role: "group", "aria-label": visible(label) }, ...plainNodes(visible(text)));
}

const folded = (title, ...children) => element("details", {}, element("summary", {}, title), ...children);

function note({ size, cut, text, pieces }) {
  if (size === 0) return [];
  if (text === undefined && pieces === undefined) {
    return [element("p", { class: "faint" }, t("It is not text: {all} bytes.", { all: whole(size) }))];
  }
  if (!cut) return [];
  return [element("p", { class: "faint" }, t("Only the beginning of {all} bytes is stored.", { all: whole(size) }))];
}

/** Each part with the time since the start of the request. */
function streamed(answer) {
  return element("ol", { class: "pieces", tabindex: 0, "aria-label": t("As it streamed") }, ...answer.map(
    ({ at_ms: at, text }) => element("li", {}, element("span", { class: "number" }, milliseconds(at)),
      element("span", {}, ...plainNodes(visible(text))))));
}

function attemptView(attempt) {
  const { upstream, place, started_ms: start, responded_ms: end, status, error, headers, body, response } = attempt;
  const took = end === undefined ? t("in progress") : milliseconds(end - start);
  const title = [upstream, status ?? error, took].filter((fact) => fact !== undefined).join(", ");
  const fields = headers.map(({ name, value }) => `${name}: ${value}`).join("\n");
  const sent = body?.text === undefined ? null : body.cut ? body.text : written(parsed(body) ?? body.text);
  return folded(visible(title), block(`${place}\n${fields}`, t("Headers")), ...(body ? note(body) : []),
    sent === null ? null : block(sent, t("Body")),
    response?.text === undefined ? null : element("h4", {}, t("Error")),
    response?.text === undefined ? null : block(response.text, t("Error")));
}

// What can be done with a request: only with a whole one.

function actions(content, request, models) {
  if (content.body.text === undefined || content.body.cut || request === null) return null;
  const command = curl(content);
  const shown = block(command, "curl");
  const folder = folded(t("The command"), shown);
  const button = element("button", { type: "button", click: () => copy(command, button, () => {
    folder.open = true;
    return shown;
  }) }, t("Copy as curl"));
  const choice = element("select", { "aria-label": t("Model of the replay") },
    ...models.map((name) => element("option", { value: name, selected: name === request.model }, visible(name))));
  const place = element("div", { "aria-live": "polite" });
  const again = element("button", { type: "button",
    click: () => replay(content, { ...request, model: choice.value }, place, again) }, t("Replay"));
  return element("div", { class: "actions" }, button, choice, again,
    element("span", { class: "faint" }, t("A replay is a new request, with this page's key.")), folder, place);
}

const passedOn = ["anthropic-version", "anthropic-beta", "openai-beta"];
const quoted = (text) => `'${visible(text).replaceAll("'", "'\\''")}'`;

/** For a shell; the key is read from its environment. */
function curl({ path, headers, body }) {
  const fields = headers.filter(({ name, value }) => passedOn.includes(name) && !value.includes("***"));
  return [`curl -N ${quoted(location.origin + path)}`, '-H "Authorization: Bearer $HEADGATE_KEY"',
    "-H 'Content-Type: application/json'", ...fields.map(({ name, value }) => `-H ${quoted(`${name}: ${value}`)}`),
    `-d ${quoted(body.text)}`].join(" \\\n  ");
}

async function replay({ path, headers }, request, place, button) {
  const { signal } = work;
  const answer = element("pre", { tabindex: 0, role: "group", "aria-label": t("Replay") });
  place.replaceChildren(element("h3", {}, t("Replay with {model}", { model: visible(request.model) })), answer);
  button.disabled = true;
  try {
    const fields = headers.filter(({ name }) => passedOn.includes(name)).map(({ name, value }) => [name, value]);
    const response = await ask(path, { method: "POST", body: JSON.stringify(request), signal,
      headers: { ...Object.fromEntries(fields), "Content-Type": "application/json" } });
    const type = response.headers.get("content-type") ?? "";
    if (type.startsWith("text/event-stream")) {
      for await (const { data } of events(response.body)) {
        if (data !== "[DONE]") answer.append(...plainNodes(visible(saidBy(JSON.parse(data)))));
      }
    } else {
      const pieces = [{ at_ms: 0, text: await response.text() }];
      answer.append(...plainNodes(visible(answerOf(pieces).map(({ text }) => text).join(""))));
    }
  } catch (failure) {
    if (!signal.aborted) place.append(element("p", { class: "wrong", role: "alert" }, failure.message));
  }
  button.disabled = false;
}
