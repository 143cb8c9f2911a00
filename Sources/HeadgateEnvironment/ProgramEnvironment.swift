/// The environment of a program that is to use a gateway, and no provider.
package struct ProgramEnvironment: Sendable {
    package let variables: [String: String]
    /// The sorted names of the removed variables, without those that now have the gateway's values.
    package let removed: [String]
    /// The sorted names of the variables with the gateway's values.
    package let set: [String]

    /// Creates the environment of a program.
    ///
    /// - Parameters:
    ///   - original: The environment that the program would have otherwise.
    ///   - program: The program as the user typed it, which can be a path.
    ///   - secrets: The names of further variables with secrets.
    ///   - kept: The names of variables that are never removed.
    package init(
        _ original: [String: String], program: String, gateway: GatewayAddress, secrets: Set<String> = [],
        kept: Set<String> = []
    ) {
        let known = original.keys.filter { ProviderVariables.contains($0) || secrets.contains($0) }
        let values = known.filter { secrets.contains($0) || ProviderVariables.isSecret($0) }
            .compactMap { original[$0] }.filter(ProgramEnvironment.isLikelySecret)
        var removed = Set(known)
        // Another variable can have the same key, or have it inside its value.
        for (name, value) in original where !removed.contains(name) {
            if ProviderVariables.isProviderKey(value)
                || values.contains(where: { ProgramEnvironment.contains(value, $0) })
            {
                removed.insert(name)
            }
        }
        removed.subtract(kept)
        var variables = original.filter { !removed.contains($0.key) }
        let set = ProgramEnvironment.settings(program: program, gateway: gateway).filter { !kept.contains($0.key) }
        variables.merge(set) { $1 }
        ProgramEnvironment.avoidProxies(&variables, gateway: gateway)
        self.variables = variables
        self.removed = removed.subtracting(set.keys).sorted()
        self.set = set.keys.sorted()
    }

    /// Returns whether a value is probably a secret. A shorter value can occur in others by accident, and a path is not
    /// a secret.
    private static func isLikelySecret(_ value: String) -> Bool { value.utf8.count >= 16 && !value.hasPrefix("/") }

    private static func settings(program: String, gateway: GatewayAddress) -> [String: String] {
        var variables = [
            "OPENAI_BASE_URL": gateway.url + "/v1",
            "OPENAI_API_BASE": gateway.url + "/v1",
            "OPENAI_API_KEY": gateway.key,
            "ANTHROPIC_BASE_URL": gateway.url,
            "OLLAMA_HOST": gateway.url,
            "OLLAMA_API_KEY": gateway.key,
            "HEADGATE_URL": gateway.url,
            "HEADGATE_KEY": gateway.key,
        ]
        // Claude Code asks its user about an API key in its environment, and warns if there is also a token. It uses a
        // token without asking.
        let name = program.split(separator: "/").last ?? ""
        variables[name == "claude" ? "ANTHROPIC_AUTH_TOKEN" : "ANTHROPIC_API_KEY"] = gateway.key
        return variables
    }

    /// Makes the program connect to a gateway on this machine directly, because proxies cannot reach it.
    private static func avoidProxies(_ variables: inout [String: String], gateway: GatewayAddress) {
        let proxies = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"]
        guard gateway.isLoopback, proxies.contains(where: { !(variables[$0] ?? "").isEmpty }) else { return }
        let (lower, upper) = (variables["no_proxy"] ?? "", variables["NO_PROXY"] ?? "")
        variables["no_proxy"] = exempting(gateway.host, in: lower.isEmpty ? upper : lower)
        variables["NO_PROXY"] = exempting(gateway.host, in: upper.isEmpty ? lower : upper)
    }

    private static func exempting(_ host: String, in list: String) -> String {
        let entries = list.split(separator: ",").map { entry in String(entry.filter { $0 != " " }) }
        if entries.contains(host) || entries.contains("*") { return list }
        return list.isEmpty ? host : "\(list),\(host)"
    }

    private static func contains(_ text: String, _ part: String) -> Bool {
        let (bytes, wanted) = (Array(text.utf8), Array(part.utf8))
        guard bytes.count >= wanted.count else { return false }
        return (0...(bytes.count - wanted.count)).contains { bytes[$0...].starts(with: wanted) }
    }
}
