import ArgumentParser
import HeadgateConfiguration
import HeadgateService

/// Names of models for people who type.
enum ModelNames {
    /// Completes to the names that the configuration of the environment, or of `HEADGATE_CONFIG`, lists. Nothing is
    /// asked of a gateway: completing has to be quick, and must not need a key.
    static let completion = CompletionKind.custom { arguments, _, prefix in
        let flags: Set = ["-c", "--config"]
        let file = zip(arguments, arguments.dropFirst()).first { flags.contains($0.0) }?.1
        return names(file: file, ProcessEnvironment.current).filter { $0.hasPrefix(prefix) }
    }

    private static func names(file: String?, _ environment: [String: String]) -> [String] {
        let variable = environment["HEADGATE_CONFIG"].flatMap { $0.isEmpty ? nil : $0 }
        do {
            let configuration =
                if let path = file ?? variable {
                    try Configuration.load(path: path, environment: environment)
                } else {
                    try Configuration.fromEnvironment(environment)
                }
            return configuration.models.filter { !$0.isPattern }.map(\.name)
        } catch {
            return []
        }
    }
}
