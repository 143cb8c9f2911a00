import ArgumentParser
import HeadgateConfiguration
import HeadgatePrices
import HeadgatePrimitives
import HeadgateService
import HeadgateTerminal

struct PricesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prices", abstract: "Show what models cost, and where that is from.",
        discussion: """
            For each configured model and its upstreams, or for one name, in USD per million tokens. 'prices: FILE' of \
            the configuration has precedence over the built-in prices, which go stale.
            """)

    @Argument(help: "A public name, or an upstream's name for a model.")
    var model: String?

    @OptionGroup var options: ConfigurationOptions

    func run() throws {
        try reporting {
            let configuration = try options.source.loadWithoutSecrets()
            guard let prices = configuration.prices else {
                throw Complaint("there are no costs: the configuration says 'prices: none'")
            }
            let rows = rows(configuration, prices)
            for line in TextTable(
                ["MODEL", "UPSTREAM", "INPUT", "CACHED", "WRITTEN", "OUTPUT", "FROM"], rows, right: [2, 3, 4, 5]
            ).lines {
                print(Neutralised.line(line))
            }
            print("\nUSD per million tokens. built-in: \(PriceList.builtInOrigin).")
        }
    }

    private func rows(_ configuration: Configuration, _ prices: PriceList) -> [[String]] {
        let chosen = configuration.models.filter { each in model.map { each.name.isExactly($0) } ?? true }
        guard chosen.isEmpty, let model else { return chosen.flatMap { rows(of: $0, configuration, prices) } }
        return [[model, "-"] + columns(prices.entry(for: model, publicModel: model))]
    }

    private func rows(
        of model: ModelConfiguration, _ configuration: Configuration, _ prices: PriceList
    ) -> [[String]] {
        model.targets.map { target in
            let upstream = configuration.upstreams.first { $0.name.isExactly(target.upstream) }
            let place = [model.name, target.upstream + (target.model.map { " as \($0)" } ?? "")]
            if upstream?.kind == .onDevice { return place + ["0", "0", "0", "0", "this device"] }
            if target.model == nil, model.isPattern { return place + ["-", "-", "-", "-", "by the name asked for"] }
            let entry = prices.entry(for: target.model ?? model.name, publicModel: model.name)
            if upstream?.isDeclaredLocal == true, entry?.source ?? .builtIn == .builtIn {
                return place + ["0", "0", "0", "0", "local: true"]
            }
            return place + columns(entry)
        }
    }

    private func columns(_ entry: PriceEntry?) -> [String] {
        guard let entry else { return ["-", "-", "-", "-", "unknown"] }
        let price = entry.price
        let amounts = [price.input, price.cachedInput, price.cacheWrite, price.output].map {
            DecimalText.text($0, digits: TokenPrice.digits)
        }
        let tiers = price.special?.tiers.keys.map(\.rawValue).sorted() ?? []
        let longest =
            (price.longestPrompt.map { ", prompts up to \($0) tokens" } ?? "")
            + (tiers.isEmpty ? "" : ", tiers: \(tiers.joined(separator: " "))")
        switch entry.source {
        case .builtIn: return amounts + ["built-in\(longest)"]
        case .file(let place): return amounts + ["\(place)\(longest)"]
        }
    }
}
