// Agents that run in a terminal.

extension KnownApp {
    static let codex = KnownApp(
        name: "codex", aliases: ["codex-cli"], title: "Codex CLI", programs: ["codex"],
        traces: { [$0.folder("CODEX_HOME") ?? $0.home(".codex")] }, preferredModels: ["gpt-"],
        files: { settings, places in
            let folder = places.folder("CODEX_HOME") ?? places.home(".codex")
            var keys: [TOMLSettings.Pair] = [
                ("model", .string(settings.model)), ("model_provider", "headgate"),
            ]
            if let context = settings.context { keys.append(("model_context_window", .number(context))) }
            var provider: [TOMLSettings.Pair] = [
                ("name", "Headgate"), ("base_url", .string(settings.api)), ("wire_api", "responses"),
            ]
            // Codex does not start if the variable is not set.
            if settings.needsKey { provider.append(("env_key", "HEADGATE_KEY")) }
            let edit = TOMLSettings(keys: keys, table: "model_providers.headgate", members: provider)
            return [File(path: folder + "/config.toml", edit: .toml(edit))]
        },
        steps: { settings in
            let key = "Set the key where Codex starts, for example in ~/.profile: \(settings.export("HEADGATE_KEY"))"
            return (settings.needsKey ? [key] : []) + ["Start it: codex"]
        })

    static let claudeCode = KnownApp(
        name: "claude-code", aliases: ["claude"], title: "Claude Code", programs: ["claude"],
        traces: { [$0.folder("CLAUDE_CONFIG_DIR") ?? $0.home(".claude")] }, preferredModels: ["claude-"],
        files: { settings, places in
            let folder = places.folder("CLAUDE_CONFIG_DIR") ?? places.home(".claude")
            let edit = JSONSettings(
                relaxed: false,
                [
                    .init("env", "ANTHROPIC_BASE_URL", value: .string(settings.url)),
                    .init("env", "ANTHROPIC_AUTH_TOKEN", value: .string(settings.key)),
                    .init("env", "ANTHROPIC_MODEL", value: .string(settings.model)),
                    // Its background tasks request a Haiku model, which the gateway might not serve.
                    .init("env", "ANTHROPIC_DEFAULT_HAIKU_MODEL", value: .string(settings.model)),
                ])
            return [File(path: folder + "/settings.json", edit: .json(edit), holdsKey: settings.needsKey)]
        },
        steps: { _ in ["Start it: claude"] })

    static let openCode = KnownApp(
        name: "opencode", title: "opencode", programs: ["opencode"], traces: { [$0.config("opencode")] },
        files: { settings, places in
            let file = places.config("opencode/opencode.json")
            let path =
                places.folder("OPENCODE_CONFIG")
                ?? (places.exists(file + "c") && !places.exists(file) ? file + "c" : file)
            let key: String =
                switch settings.keySource {
                case .notNeeded: settings.key
                case .file(let path, _): "{file:\(path)}"
                case .variable, .unknown: "{env:HEADGATE_KEY}"
                }
            let model: SettingsValue = [
                "name": .string(settings.model),
                "limit": ["context": .number(settings.contextOrUsual), "output": .number(settings.output)],
            ]
            let provider: SettingsValue = [
                "npm": "@ai-sdk/openai-compatible", "name": "Headgate",
                "options": ["baseURL": .string(settings.api), "apiKey": .string(key)],
                "models": .object([.init(settings.model, model)]),
            ]
            let edit = JSONSettings(
                relaxed: true,
                [
                    .init("provider", "headgate", value: provider),
                    .init("model", value: "headgate/\(settings.model)"),
                ])
            return [File(path: path, edit: .json(edit))]
        },
        steps: { settings in
            let key = "Set the key where opencode starts: \(settings.export("HEADGATE_KEY"))"
            let needsVariable = [.variable, .unknown].contains(settings.keySource)
            return (needsVariable ? [key] : []) + ["Start it: opencode"]
        })

    static let aider = KnownApp(
        name: "aider", title: "aider", programs: ["aider"],
        traces: { [$0.home(".aider.conf.yml"), $0.home(".aider")] },
        files: { settings, places in
            let edit = YAMLSettings(
                .keys([
                    ("model", "openai/\(settings.model)"), ("openai-api-base", .string(settings.api)),
                    ("openai-api-key", .string(settings.key)),
                    // Aider warns about every model whose price it does not know.
                    ("show-model-warnings", false),
                ]))
            return [File(path: places.home(".aider.conf.yml"), edit: .yaml(edit), holdsKey: settings.needsKey)]
        },
        steps: { _ in ["Start it in a repository: aider"] })

    static let cline = KnownApp(
        name: "cline", title: "Cline", programs: ["cline"],
        traces: {
            [$0.home(".cline"), $0.support("Code/User/globalStorage/saoudrizwan.claude-dev")]
        },
        steps: { settings in
            [
                "Open Cline's settings (the gear in its panel, or 'cline auth' in a terminal) and choose:",
                "  API Provider: OpenAI Compatible", "  Base URL:     \(settings.api)",
                "  API Key:      \(settings.keyForForms)", "  Model ID:     \(settings.model)",
                "  Context Window Size, under Model Configuration: \(settings.contextOrUsual)",
            ]
        })
}
