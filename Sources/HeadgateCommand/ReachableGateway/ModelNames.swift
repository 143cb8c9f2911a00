import ArgumentParser
import HeadgateConfiguration
import HeadgateService

/// Completion of model names.
enum ModelNames {
    /// Maximum wait after the Tab key.
    private static let patience = Duration.milliseconds(1500)

    /// Completes names from the configuration, and names that a running gateway lists quickly. Errors are not reported,
    /// because they would disturb the line that is being typed.
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
