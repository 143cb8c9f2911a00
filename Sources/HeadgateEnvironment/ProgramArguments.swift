/// The arguments of programs that do not read the gateway's address from their environment.
package enum ProgramArguments {
    /// The command line with what its program has to be told, in front of the arguments that it was given.
    ///
    /// - Parameter command: not empty; a path will do for the program.
    package static func leading(_ command: [String], to gateway: GatewayAddress) -> [String] {
        guard command[0].split(separator: "/").last == "codex", !choosesProvider(command) else { return command }
        return command.prefix(1) + codexSettings(gateway) + command.dropFirst()
    }

    /// Codex asks its own provider, over WebSockets, whatever OpenAI's variables say: it knows others by its settings.
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
