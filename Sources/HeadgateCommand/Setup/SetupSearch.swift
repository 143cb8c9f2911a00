import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateHTTP
import HeadgateService

/// Finds providers on this machine for a new configuration.
struct SetupSearch {
    let environment: [String: String]

    init(_ environment: [String: String]) { self.environment = environment }

    /// Returns the providers with a key in the environment or a server on this machine, or else the on-device model.
    func found() -> [KnownProvider] {
        let found = KnownProvider.all.filter { provider in
            if provider.name == "ollama" { return isSet("OLLAMA_HOST") || ollamaAnswers() }
            guard let variable = provider.keyVariable, isSet(variable) else { return false }
            // A provider without a known address cannot be used.
            return provider.url != nil || provider.urlVariable.map(isSet) ?? false
        }
        return found.isEmpty ? KnownProvider.all.filter { $0.kind == .onDevice } : found
    }

    func isSet(_ variable: String) -> Bool { !(environment[variable] ?? "").isEmpty }

    /// Returns the provider's upstream according to the environment.
    ///
    /// - Throws: ``Complaint``.
    func upstream(_ provider: KnownProvider) throws -> SetupPlan.Upstream {
        do throws(InvalidValue) {
            let url = try provider.url(in: environment)
            let hasKey = provider.keyVariable.map(isSet) ?? false
            // A server other than OpenAI's at this variable might need no key.
            let needsNone = provider.kind == .openai && url != nil && !hasKey
            return SetupPlan.Upstream(provider, key: needsNone ? .none : .variable, url: url)
        } catch {
            throw Complaint("\(provider.urlVariable ?? provider.name): \(error.message)", exitCode: .configuration)
        }
    }

    /// Returns the providers with these names, each once.
    ///
    /// - Throws: ``Complaint``.
    static func providers(_ names: [String]) throws -> [KnownProvider] {
        var providers: [KnownProvider] = []
        for name in names where !providers.contains(where: { $0.name == name }) {
            guard let provider = KnownProvider.named(name) else {
                let advice =
                    KnownProvider.nearestName(to: name).map { "did you mean \($0)?" }
                    ?? "choose from \(KnownProvider.all.map(\.name).joined(separator: ", "))"
                throw Complaint("there is no provider '\(name)' here: \(advice)")
            }
            providers.append(provider)
        }
        return providers
    }

    /// Returns whether Ollama serves at its default address.
    private func ollamaAnswers() -> Bool {
        guard let group = try? EventLoopGroup(starting: 1) else { return false }
        defer { group.stop() }
        let probe = GatewayProbe(group: group, deadline: .now + .seconds(1))
        let place = BaseURL(endpoint: .tcp(host: "127.0.0.1", port: 11434), pathPrefix: "")
        guard let response = try? probe.ask("/api/version", of: place, key: nil) else { return false }
        return response.status == 200
    }
}
