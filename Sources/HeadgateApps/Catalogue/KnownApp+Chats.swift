// Chat apps, launchers and command-line tools.

extension KnownApp {
    static let llm = KnownApp(
        name: "llm", title: "llm (Datasette)", programs: ["llm"],
        traces: { [$0.folder("LLM_USER_PATH") ?? $0.support("io.datasette.llm")] },
        files: { settings, places in
            let folder = places.folder("LLM_USER_PATH") ?? places.support("io.datasette.llm")
            var item = [
                "model_id: \(SettingsValue.literal("headgate/\(settings.model)"))", "aliases: [headgate]",
                "model_name: \(SettingsValue.literal(settings.model))",
                "api_base: \(SettingsValue.literal(settings.api))",
            ]
            if settings.needsKey { item.append("api_key_name: headgate") }
            item.append("supports_tools: true")
            let models = File(
                path: folder + "/extra-openai-models.yaml",
                edit: .yaml(YAMLSettings(.rootItem(item, identity: "model_id"))))
            guard settings.needsKey else { return [models] }
            let key = JSONSettings(relaxed: false, [.init("headgate", value: .string(settings.key))])
            return [models, File(path: folder + "/keys.json", edit: .json(key), holdsKey: true)]
        },
        steps: { _ in ["Ask it: llm -m headgate \"Hello\"", "Make it the default: llm models default headgate"] })

    static let openWebUI = KnownApp(
        name: "open-webui", aliases: ["openwebui"], title: "Open WebUI", programs: ["open-webui"],
        traces: { [$0.home(".open-webui")] },
        steps: { settings in
            var lines = [
                "Open WebUI that already runs: Admin Panel, Settings, Connections, add an OpenAI API connection:",
                "  URL:    \(settings.api)", "  Key:    \(settings.keyForForms)", "  Models: \(settings.model)",
                "One that starts for the first time, on this machine:",
                "  \(settings.export("OPENAI_API_KEY"))", "  export OPENAI_API_BASE_URL=\(settings.api)",
                "  open-webui serve",
            ]
            if settings.isLoopback {
                lines += [
                    "In a container it needs http://host.docker.internal instead of the loopback address: let the",
                    "gateway listen beyond loopback, and name host.docker.internal in 'allowed_hosts'.",
                ]
            }
            return lines
        })

    static let obsidian = KnownApp(
        name: "obsidian", title: "Obsidian (Copilot plugin)", programs: ["obsidian"],
        traces: { [$0.support("obsidian")] },
        steps: { settings in
            [
                "In Obsidian's settings, open Copilot and add a model of an OpenAI-compatible provider:",
                "  Base URL:   \(settings.api)", "  API Key:    \(settings.keyForForms)",
                "  Model Name: \(settings.model)",
                "If a request fails with 403, turn on the plugin's CORS option for the model,",
                "or add app://obsidian.md to 'allowed_origins' in the gateway's configuration.",
            ]
        })

    static let raycast = KnownApp(
        name: "raycast", title: "Raycast (macOS)",
        traces: { [$0.home(".config/raycast"), $0.home("Library/Application Support/com.raycast.macos")] },
        files: { settings, places in
            var item = [
                "id: \(SettingsValue.literal("headgate"))", "name: Headgate",
                "base_url: \(SettingsValue.literal(settings.api))",
            ]
            if settings.needsKey {
                item += ["api_keys:", "  headgate: \(SettingsValue.literal(settings.key))"]
            }
            item += ["models:", "  - id: \(SettingsValue.literal(settings.model))"]
            item += ["name: \(SettingsValue.literal(settings.model))"].map { "    " + $0 }
            if settings.needsKey { item.append("    provider: headgate") }
            item += [
                "context: \(settings.contextOrUsual)", "abilities:", "  temperature: {supported: true}",
                "  system_message: {supported: true}", "  tools: {supported: true}",
            ].map { "    " + $0 }
            // Raycast reads no other folder, whatever the value of XDG_CONFIG_HOME.
            let edit = YAMLSettings(.item(item, under: "providers", identity: "id"))
            return [
                File(
                    path: places.home(".config/raycast/ai/providers.yaml"), edit: .yaml(edit),
                    holdsKey: settings.needsKey)
            ]
        },
        steps: { _ in
            [
                "Turn on Custom Providers in Raycast's settings under AI, and choose the model.",
                "They need Raycast Pro; the first versions of Raycast 2 lack them.",
            ]
        })
}
