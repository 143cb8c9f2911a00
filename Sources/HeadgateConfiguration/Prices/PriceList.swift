/// What models cost: by the user's price file, and by the built-in table for what is not in it.
package struct PriceList: Sendable, Equatable {
    /// The user's.
    private let own: PriceIndex

    /// - Parameter own: names and patterns of the user's, each once.
    package init(own: [PriceEntry] = []) { self.own = PriceIndex(own) }

    /// The built-in table's own entries.
    package static var builtIn: [PriceEntry] { BuiltInPrices.entries }
    /// Where the built-in prices are from, and when they held.
    package static var builtInOrigin: String { "\(BuiltInPrices.source), \(BuiltInPrices.date)" }

    private static let builtInIndex = PriceIndex(BuiltInPrices.entries)

    /// The user's entries, in the order of their file.
    package var ownEntries: [PriceEntry] { own.entries }

    /// What a model costs; nil where that is not known. Of a file and the table the file comes first, whichever of the
    /// two names it has.
    ///
    /// - Parameters:
    ///   - upstreamModel: the upstream's name for it.
    ///   - publicModel: what clients call it.
    package func entry(for upstreamModel: String, publicModel: String) -> PriceEntry? {
        for index in [own, PriceList.builtInIndex] {
            if let entry = index.entry(for: upstreamModel) ?? index.entry(for: publicModel) { return entry }
        }
        return nil
    }
}

/// What one name or pattern costs.
package struct PriceEntry: Sendable, Equatable {
    package enum Source: Sendable, Equatable {
        case builtIn
        /// `prices.yaml:3`
        case file(String)
    }

    /// A model's name, or a prefix followed by `*`.
    package let name: String
    package let price: TokenPrice
    package let source: Source

    package init(name: String, price: TokenPrice, source: Source) {
        self.name = name
        self.price = price
        self.source = source
    }
}

/// Exact names first, then the longest matching pattern.
private struct PriceIndex: Sendable, Equatable {
    let entries: [PriceEntry]
    private let exact: [ExactText: PriceEntry]
    /// Prefixes, longest first.
    private let patterns: [Pattern]

    private struct Pattern: Sendable, Equatable {
        let prefix: String
        let entry: PriceEntry
    }

    init(_ entries: [PriceEntry]) {
        self.entries = entries
        var exact: [ExactText: PriceEntry] = [:]
        var patterns: [Pattern] = []
        for entry in entries {
            if let prefix = entry.name.patternPrefix {
                patterns.append(Pattern(prefix: prefix, entry: entry))
            } else {
                exact[ExactText(entry.name)] = entry
            }
        }
        self.exact = exact
        self.patterns = patterns.sorted { $0.prefix.utf8.count > $1.prefix.utf8.count }
    }

    func entry(for model: String) -> PriceEntry? {
        exact[ExactText(model)] ?? patterns.first { model.utf8.starts(with: $0.prefix.utf8) }?.entry
    }
}
