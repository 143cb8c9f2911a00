import ArgumentParser
import HeadgateConfiguration
import HeadgateService

/// Names of models for people who type.
enum ModelNames {
    /// Maximum wait after Tab.
    private static let patience = Duration.milliseconds(1500)

    /// Completes to the names of the configuration, and to all that a running gateway lists if it does so at once.
    /// Whatever goes wrong, nothing is said: the line that is being typed would be torn apart.
    static let completion = CompletionKind.custom { words, _, prefix in
        var names: [String] = []
        for name in all(words) where name.hasPrefix(prefix) && !names.contains(name) { names.append(name) }
        return names
    }

    private static func all(_ words: [String]) -> [String] {
        let arguments = ["--config", "--url", "--key-file"].flatMap { option in
            value(of: option == "--config" ? [option, "-c"] : [option], in: words).map { [option, $0] } ?? []
        }
        guard let options = try? GatewayOptions.parse(arguments) else { return [] }
        let configuration = try? options.configuration.source.loadWithoutSecrets()
        let configured = configuration?.models.filter { !$0.isPattern }.map(\.name) ?? []
        let listed = try? ReachableGateway.modelsOfRunning(options, configuration, within: patience) { _ in }
        return configured + (listed ?? []).map(\.id)
    }

    private static func value(of options: Set<String>, in words: [String]) -> String? {
        zip(words, words.dropFirst()).first { options.contains($0.0) }?.1
    }
}
