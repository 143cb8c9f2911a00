// For Playwright's driver: where it would override the colour scheme, which Firefox ESR has no command for, it asks for
// the state of the session, so that everything else can be tested in that browser.
const fs = require("fs");
const Module = require("module");

const load = Module._extensions[".js"];
Module._extensions[".js"] = function (module, file) {
  if (!file.endsWith("coreBundle.js")) return load(module, file);
  const source = fs.readFileSync(file, "utf8");
  return module._compile(source.replaceAll('"emulation.setMediaFeaturesOverride"', '"session.status"'), file);
};
