/// The arguments of programs that do not read the gateway's address from their environment.
package enum ProgramArguments {
    /// Returns a command line with the arguments that its program needs for the gateway, before its own arguments.
    ///
    /// - Parameter command: The program, which can be a path, and its arguments; not empty.
    package static func leading(_ command: [String], to gateway: GatewayAddress) -> [String] {
        guard command[0].split(separator: "/").last == "codex", !choosesProvider(command) else { return command }
        return command.prefix(1) + codexSettings(gateway) + command.dropFirst()
    }

    /// Returns settings for Codex. Regardless of OpenAI's variables, it connects to its own provider over WebSockets,
    /// and finds other providers only in its settings.
    private static func codexSettings(_ gateway: GatewayAddress) -> [String] {
        let provider = "model_providers.headgate"
        let settings = [
            "model_provider=\"headgate\"", "\(provider).name=\"Headgate\"",
            "\(provider).base_url=\"\(gateway.url)/v1\"", "\(provider).env_key=\"HEADGATE_KEY\"",
            "\(provider).wire_api=\"responses\"",
        ]
        return settings.flatMap { ["-c", $0] }
    }

    private static func choosesProvider(_ command: [String]) -> Bool {
        command.contains { $0 == "--oss" || $0.contains("model_provider") }
    }
}
