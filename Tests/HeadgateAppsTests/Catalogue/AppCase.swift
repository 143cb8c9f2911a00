@testable import HeadgateApps

/// The settings file of an app before and after setup.
struct AppCase: CustomStringConvertible {
    let app: String
    /// Path relative to the user's home.
    let path: String
    let before: String
    let after: String
    /// Text that setup refuses to edit.
    let damaged: String
    /// Whether the file contains the key.
    var holdsKey = false

    var description: String { "\(app) \(path)" }

    static let home = "/home/ada"
    static let settings = AppSettings(
        url: "http://127.0.0.1:8686", isLoopback: true, model: "fast", context: 200_000,
        keySource: .file("/home/ada/.config/headgate/key", command: "headgate key show"), key: "hg-key")

    static func places(_ variables: [String: String] = [:], existing: Set<String> = []) -> AppPlaces? {
        AppPlaces(environment: ["HOME": home].merging(variables) { $1 }, isDarwin: false) { existing.contains($0) }
    }

    static let all = [
        AppCase(
            app: "codex", path: ".codex/config.toml",
            before: """
                model = "gpt-5.5" # the best
                approval_policy = "on-request"

                [projects."/work"]
                trust_level = "trusted"

                """,
            after: """
                # >>> headgate: from 'headgate setup codex'; 'headgate setup codex --undo' removes it
                model = "fast"
                model_provider = "headgate"
                model_context_window = 200000 # <<< headgate
                # headgate set this aside: model = "gpt-5.5" # the best
                approval_policy = "on-request"

                [projects."/work"]
                trust_level = "trusted"
                # >>> headgate: from 'headgate setup codex'; 'headgate setup codex --undo' removes it
                [model_providers.headgate]
                name = "Headgate"
                base_url = "http://127.0.0.1:8686/v1"
                wire_api = "responses"
                env_key = "HEADGATE_KEY" # <<< headgate

                """,
            damaged: "model = [\n"),
        AppCase(
            app: "claude-code", path: ".claude/settings.json",
            before: """
                {
                  "permissions": {"allow": ["Bash(ls:*)"]},
                  "env": {
                    "ANTHROPIC_MODEL": "opus",
                    "EDITOR": "ed"
                  }
                }

                """,
            after: """
                {
                  "permissions": {"allow": ["Bash(ls:*)"]},
                  "env": {
                    "ANTHROPIC_MODEL": "fast",
                    "EDITOR": "ed",
                    "ANTHROPIC_BASE_URL": "http://127.0.0.1:8686",
                    "ANTHROPIC_AUTH_TOKEN": "hg-key",
                    "ANTHROPIC_DEFAULT_HAIKU_MODEL": "fast"
                  }
                }

                """,
            damaged: "{\"env\": {} // no comments here\n}", holdsKey: true),
        AppCase(
            app: "opencode", path: ".config/opencode/opencode.json",
            before: """
                {
                  // Mine.
                  "theme": "system",
                  "model": "anthropic/claude-sonnet-4-5",
                }

                """,
            after: """
                {
                  // Mine.
                  "theme": "system",
                  "model": "headgate/fast",
                  "provider": {
                    "headgate": {
                      "npm": "@ai-sdk/openai-compatible",
                      "name": "Headgate",
                      "options": {
                        "baseURL": "http://127.0.0.1:8686/v1",
                        "apiKey": "{file:/home/ada/.config/headgate/key}"
                      },
                      "models": {
                        "fast": {
                          "name": "fast",
                          "limit": {
                            "context": 200000,
                            "output": 16000
                          }
                        }
                      }
                    }
                  },
                }

                """,
            damaged: "{\"theme\": }"),
        AppCase(
            app: "aider", path: ".aider.conf.yml",
            before: "# Mine.\nmodel: sonnet\ndark-mode: true\n",
            after: """
                # Mine.
                # headgate set this aside: model: sonnet
                dark-mode: true
                # >>> headgate: from 'headgate setup aider'; 'headgate setup aider --undo' removes it
                model: "openai/fast"
                openai-api-base: "http://127.0.0.1:8686/v1"
                openai-api-key: "hg-key"
                show-model-warnings: false # <<< headgate

                """,
            damaged: "model: [\n", holdsKey: true),
        AppCase(
            app: "continue", path: ".continue/config.yaml",
            before: """
                name: Mine
                version: 0.0.1
                schema: v1
                models:
                  - name: Local # slow
                    provider: ollama
                    model: qwen3

                """,
            after: """
                name: Mine
                version: 0.0.1
                schema: v1
                models:
                  # >>> headgate: from 'headgate setup continue'; 'headgate setup continue --undo' removes it
                  - name: "Headgate"
                    provider: openai
                    model: "fast"
                    apiBase: "http://127.0.0.1:8686/v1"
                    apiKey: "hg-key"
                    roles: [chat, edit, apply]
                    defaultCompletionOptions:
                      contextLength: 200000 # <<< headgate
                  - name: Local # slow
                    provider: ollama
                    model: qwen3

                """,
            damaged: "models: [{name: a}]\n", holdsKey: true),
        AppCase(
            app: "zed", path: ".config/zed/settings.json",
            before: """
                // Zed settings
                {
                  "vim_mode": true,
                  "agent": {
                    "default_model": {
                      "provider": "zed.dev",
                      "model": "claude-sonnet-4-5"
                    }
                  }
                }

                """,
            after: """
                // Zed settings
                {
                  "vim_mode": true,
                  "agent": {
                    "default_model": {
                      "provider": "Headgate",
                      "model": "fast"
                    }
                  },
                  "language_models": {
                    "openai_compatible": {
                      "Headgate": {
                        "api_url": "http://127.0.0.1:8686/v1",
                        "available_models": [
                          {
                            "name": "fast",
                            "display_name": "fast",
                            "max_tokens": 200000,
                            "capabilities": {
                              "tools": true,
                              "images": false,
                              "parallel_tool_calls": false,
                              "prompt_cache_key": false
                            }
                          }
                        ]
                      }
                    }
                  }
                }

                """,
            damaged: "{\"agent\": []}"),
        AppCase(
            app: "vscode", path: ".config/Code/User/chatLanguageModels.json",
            before: """
                [
                \t{
                \t\t"name": "Ollama",
                \t\t"vendor": "ollama"
                \t}
                ]

                """,
            after: """
                [
                \t{
                \t\t"name": "Ollama",
                \t\t"vendor": "ollama"
                \t},
                \t{
                \t\t"name": "Headgate",
                \t\t"vendor": "customendpoint",
                \t\t"apiKey": "${input:headgateKey}",
                \t\t"apiType": "chat-completions",
                \t\t"models": [
                \t\t\t{
                \t\t\t\t"id": "fast",
                \t\t\t\t"name": "fast",
                \t\t\t\t"url": "http://127.0.0.1:8686/v1/chat/completions",
                \t\t\t\t"toolCalling": true,
                \t\t\t\t"vision": false,
                \t\t\t\t"maxInputTokens": 184000,
                \t\t\t\t"maxOutputTokens": 16000
                \t\t\t}
                \t\t]
                \t}
                ]

                """,
            damaged: "{}"),
        AppCase(
            app: "llm", path: ".config/io.datasette.llm/extra-openai-models.yaml",
            before: "- model_id: local\n  model_name: qwen\n  api_base: \"http://localhost:8080\"\n",
            after: """
                # >>> headgate: from 'headgate setup llm'; 'headgate setup llm --undo' removes it
                - model_id: "headgate/fast"
                  aliases: [headgate]
                  model_name: "fast"
                  api_base: "http://127.0.0.1:8686/v1"
                  api_key_name: headgate
                  supports_tools: true # <<< headgate
                - model_id: local
                  model_name: qwen
                  api_base: "http://localhost:8080"

                """,
            damaged: "models: {}\n"),
        AppCase(
            app: "llm", path: ".config/io.datasette.llm/keys.json",
            before: "{\n  \"// Note\": \"This file stores secret API credentials. Do not share!\"\n}\n",
            after: """
                {
                  "// Note": "This file stores secret API credentials. Do not share!",
                  "headgate": "hg-key"
                }

                """,
            damaged: "{,}", holdsKey: true),
        AppCase(
            app: "raycast", path: ".config/raycast/ai/providers.yaml",
            before: "providers:\n  - id: other\n    name: Other\n",
            after: """
                providers:
                  # >>> headgate: from 'headgate setup raycast'; 'headgate setup raycast --undo' removes it
                  - id: "headgate"
                    name: Headgate
                    base_url: "http://127.0.0.1:8686/v1"
                    api_keys:
                      headgate: "hg-key"
                    models:
                      - id: "fast"
                        name: "fast"
                        provider: headgate
                        context: 200000
                        abilities:
                          temperature: {supported: true}
                          system_message: {supported: true}
                          tools: {supported: true} # <<< headgate
                  - id: other
                    name: Other

                """,
            damaged: "providers: none\n", holdsKey: true),
    ]
}
