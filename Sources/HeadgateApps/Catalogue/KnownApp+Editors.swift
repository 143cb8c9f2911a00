// Editors and their extensions.

extension KnownApp {
    static let continueDev = KnownApp(
        name: "continue", aliases: ["continue.dev"], title: "Continue", programs: ["cn"],
        traces: { [$0.folder("CONTINUE_GLOBAL_DIR") ?? $0.home(".continue")] },
        files: { settings, places in
            let folder = places.folder("CONTINUE_GLOBAL_DIR") ?? places.home(".continue")
            let path = folder + "/config.yaml"
            guard places.exists(path) || !places.exists(folder + "/config.json") else {
                throw EditRefusal(
                    "does not exist, and Continue would read it instead of your config.json: migrate first")
            }
            let item = [
                "name: \(SettingsValue.literal("Headgate"))", "provider: openai",
                "model: \(SettingsValue.literal(settings.model))", "apiBase: \(SettingsValue.literal(settings.api))",
                "apiKey: \(SettingsValue.literal(settings.key))", "roles: [chat, edit, apply]",
                "defaultCompletionOptions:", "  contextLength: \(settings.contextOrUsual)",
            ]
            let edit = YAMLSettings(
                .item(item, under: "models", identity: "name"),
                heading: ["name: Local Config", "version: 1.0.0", "schema: v1"])
            return [File(path: path, edit: .yaml(edit), holdsKey: settings.needsKey)]
        },
        steps: { _ in ["Choose Headgate in Continue's model menu."] })

    static let zed = KnownApp(
        name: "zed", title: "Zed", programs: ["zed", "zeditor"], traces: { [$0.config("zed")] },
        files: { settings, places in
            let model: SettingsValue = [
                "name": .string(settings.model), "display_name": .string(settings.model),
                "max_tokens": .number(settings.contextOrUsual),
                "capabilities": [
                    "tools": true, "images": false, "parallel_tool_calls": false, "prompt_cache_key": false,
                ],
            ]
            let provider: SettingsValue = ["api_url": .string(settings.api), "available_models": [model]]
            let chosen: SettingsValue = ["provider": "Headgate", "model": .string(settings.model)]
            let edit = JSONSettings(
                relaxed: true,
                [
                    .init("language_models", "openai_compatible", "Headgate", value: provider),
                    .init("agent", "default_model", value: chosen),
                ])
            return [File(path: places.config("zed/settings.json"), edit: .json(edit))]
        },
        steps: { settings in
            let command = settings.export("HEADGATE_API_KEY")
            return [
                "Give Zed the key: in its settings under AI, LLM Providers, Headgate, or where it starts: \(command)"
            ]
        })

    static let vsCode = KnownApp(
        name: "vscode", aliases: ["copilot", "vs-code", "code"], title: "VS Code (Copilot)", programs: ["code"],
        traces: { [$0.support("Code/User")] },
        files: { settings, places in
            let model: SettingsValue = [
                "id": .string(settings.model), "name": .string(settings.model),
                "url": "\(settings.api)/chat/completions", "toolCalling": true, "vision": false,
                "maxInputTokens": .number(settings.contextOrUsual - settings.output),
                "maxOutputTokens": .number(settings.output),
            ]
            let provider: SettingsValue = [
                "name": "Headgate", "vendor": "customendpoint",
                "apiKey": .string(settings.needsKey ? "${input:headgateKey}" : settings.key),
                "apiType": "chat-completions", "models": [model],
            ]
            let edit = JSONSettings(relaxed: true, [.init([.element(where: "name", is: "Headgate")], provider)])
            return [File(path: places.support("Code/User/chatLanguageModels.json"), edit: .json(edit))]
        },
        steps: { settings in
            let key = "VS Code prompts for the key and stores it. Type \(settings.keyForForms)"
            return (settings.needsKey ? [key] : [])
                + ["Restart VS Code 1.122 or newer and choose \(settings.model) in the chat's model menu."]
        })

    static let cursor = KnownApp(
        name: "cursor", title: "Cursor", programs: ["cursor"], traces: { [$0.home(".cursor"), $0.support("Cursor")] },
        steps: { settings in
            let form = [
                "  Settings, Models, API Keys:", "  OpenAI API Key:           \(settings.keyForForms)",
                "  Override OpenAI Base URL: \(settings.isLoopback ? "https://YOUR_ADDRESS/v1" : settings.api)",
                "  Add the model:            \(settings.model)",
            ]
            guard settings.isLoopback else { return ["Cursor's servers must reach \(settings.url). Then type:"] + form }
            return [
                "Cursor sends every request from its own servers, which cannot reach \(settings.url).",
                "Use it with a public HTTPS address: a tunnel or a reverse proxy in front of the gateway.",
                "Name that host in 'allowed_hosts', and make a separate key for Cursor:",
                "  headgate key add cursor --budget 5/month", "Then type in Cursor:",
            ] + form + ["Apps that run on this machine need none of that: 'headgate setup' lists them."]
        })
}
