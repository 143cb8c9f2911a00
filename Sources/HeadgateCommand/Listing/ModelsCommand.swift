import ArgumentParser
import HeadgateConfiguration
import HeadgatePrimitives
import HeadgateRelay
import HeadgateService
import HeadgateTerminal

struct ModelsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "models", abstract: "List models and patterns with their upstreams.",
        discussion: """
            The list has the models of the configuration. A running gateway adds the models that its upstreams list \
            for a pattern. With --url or HEADGATE_URL the command prints only what that gateway lists.
            """)

    @Flag(help: "List the programs that a running gateway runs for its upstreams. Needs a key with admin: true.")
    var loaded = false

    @OptionGroup var gateway: GatewayOptions

    func run() throws {
        try reporting {
            if loaded {
                for line in try LoadedPrograms.read(gateway).lines { print(line) }
                return
            }
            if try gateway.chosenURL(ProcessEnvironment.current) != nil {
                return show(try runningModels(nil) ?? [])
            }
            let configuration = try gateway.configuration.source.loadWithoutSecrets()
            for model in configuration.models {
                let targets = model.targets.map { "\($0.upstream)\($0.model.map { " as \($0)" } ?? "")" }
                print("\(model.name)  \(targets.joined(separator: ", "))")
            }
            guard configuration.hasDiscovery else { return }
            do {
                guard let models = try runningModels(configuration) else {
                    return complain(
                        "headgate: models that upstreams list themselves are not shown, as no gateway is running; "
                            + "'headgate check --live' asks the upstreams")
                }
                show(models.filter { model in !configuration.models.contains { $0.name.isExactly(model.id) } })
            } catch let complaint as Complaint {
                complain("headgate: models that upstreams list themselves are not shown: \(complaint.message)")
            }
        }
    }

    private func runningModels(_ configuration: Configuration?) throws -> [GatewayModel]? {
        try ReachableGateway.modelsOfRunning(gateway, configuration, within: .seconds(5)) {
            complain("headgate: \($0)")
        }
    }

    private func show(_ models: [GatewayModel]) {
        for model in models { print("\(Neutralised.text(model.id))  \(Neutralised.text(model.firstUpstream))") }
    }
}

extension Configuration {
    /// Whether a gateway with this configuration requests model lists from an upstream.
    fileprivate var hasDiscovery: Bool {
        upstreams.contains { upstream in
            upstream.listsModels(isNamedByPattern: models.contains { $0.passesNames(to: upstream.name) })
        }
    }
}

/// A table with columns as wide as their longest text.
struct TextTable {
    let lines: [String]

    /// - Parameter right: Indexes of right-aligned columns.
    init(_ titles: [String], _ rows: [[String]], right: Set<Int> = []) {
        let all = [titles] + rows
        let widths = titles.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        lines = all.map { row in
            var line = ""
            for (column, text) in row.enumerated() {
                let padding = String(repeating: " ", count: widths[column] - text.count)
                line += (column > 0 ? "  " : "") + (right.contains(column) ? padding + text : text + padding)
            }
            while line.hasSuffix(" ") { line.removeLast() }
            return line
        }
    }
}
