import ArgumentParser
import HeadgateConfiguration
import HeadgateService

struct ModelsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "models", abstract: "List the configured models and patterns with their upstreams.")

    @OptionGroup var options: ConfigurationOptions

    func run() throws {
        try reporting {
            for model in try options.source.load().models {
                let targets = model.targets.map { "\($0.upstream)\($0.model.map { " as \($0)" } ?? "")" }
                print("\(model.name)  \(targets.joined(separator: ", "))")
            }
        }
    }
}
