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
            if let entry = index.entry(for: upstreamModel) { return entry }
            if !publicModel.isExactly(upstreamModel), let entry = index.entry(for: publicModel) { return entry }
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

/// Exact names first, then the longest matching pattern. Asked at the end of every request of a model that no
/// configuration names.
private struct PriceIndex: Sendable, Equatable {
    let entries: [PriceEntry]
    private let exact: [ExactText: PriceEntry]
    /// By the first octets of their prefixes, longest first.
    private let patterns: [UInt8: [Pattern]]
    /// Of the pattern that every name matches.
    private let any: PriceEntry?

    private struct Pattern: Sendable, Equatable {
        let prefix: [UInt8]
        let entry: PriceEntry
    }

    init(_ entries: [PriceEntry]) {
        self.entries = entries
        var exact: [ExactText: PriceEntry] = [:]
        var patterns: [UInt8: [Pattern]] = [:]
        var any: PriceEntry?
        for entry in entries {
            if let prefix = entry.name.patternPrefix {
                guard let first = prefix.utf8.first else {
                    any = entry
                    continue
                }
                patterns[first, default: []].append(Pattern(prefix: Array(prefix.utf8), entry: entry))
            } else {
                exact[ExactText(entry.name)] = entry
            }
        }
        self.exact = exact
        self.patterns = patterns.mapValues { $0.sorted { $0.prefix.count > $1.prefix.count } }
        self.any = any
    }

    func entry(for model: String) -> PriceEntry? {
        guard !entries.isEmpty else { return nil }
        if let entry = exact[ExactText(model)] { return entry }
        var model = model
        return model.withUTF8 { octets in
            guard let first = octets.first, let patterns = patterns[first] else { return any }
            return patterns.first { octets.starts(with: $0.prefix) }?.entry ?? any
        }
    }
}
