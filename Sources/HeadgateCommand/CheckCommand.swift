import ArgumentParser
import HeadgateConfiguration

struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check the configuration without starting.",
        discussion: "Prints every problem as file:line:column: error: message and exits 78, or 'ok' and exits 0.")

    @OptionGroup var options: ConfigurationOptions

    func run() throws {
        try reporting {
            let configuration = try options.load()
            for warning in configuration.warnings { complain("warning: \(warning)") }
            let counts = [
                "\(configuration.upstreams.count) upstreams", "\(configuration.models.count) models",
                "\(configuration.keys.count) keys",
            ]
            print(
                "ok: \(counts.joined(separator: ", ")), listening on \(configuration.listeners.map(\.address.description).joined(separator: ", "))"
            )
        }
    }
}
