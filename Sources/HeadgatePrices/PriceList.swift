/// Prices of models: those of the user's price file, and the built-in ones for models not in it.
package struct PriceList: Sendable, Equatable {
    /// The user's.
    private let own: PriceIndex

    /// - Parameter own: names and patterns of the user's, each once.
    package init(own: [PriceEntry] = []) { self.own = PriceIndex(own) }

    /// The built-in table's own entries.
    package static var builtIn: [PriceEntry] { BuiltInPrices.entries }
    /// Models of the built-in table with prices of tiers and the like.
    package static var specialCount: Int { BuiltInPrices.special.count }
    /// Source and date of the built-in prices.
    package static var builtInOrigin: String { "\(BuiltInPrices.source), \(BuiltInPrices.date)" }

    private static let builtInIndex = PriceIndex(BuiltInPrices.entries)

    /// The user's entries, in the order of their file.
    package var ownEntries: [PriceEntry] { own.entries }

    /// Day from which a model's vendor no longer serves it, such as `2026-12-11`; nil if none is announced.
    package static func retirement(of model: String) -> String? {
        builtInIndex.place(of: model).flatMap { builtInIndex.entries[$0].retires }
    }

    /// Returns the price of a model; nil if it is unknown. The file takes precedence over the table, under either name.
    ///
    /// - Parameters:
    ///   - upstreamModel: the upstream's name for it.
    ///   - publicModel: the public name.
    package func entry(for upstreamModel: String, publicModel: String) -> PriceEntry? {
        if let place = own.place(of: upstreamModel, or: publicModel) { return own.entries[place] }
        let builtIn = PriceList.builtInIndex
        return builtIn.place(of: upstreamModel, or: publicModel).map { builtIn.entries[$0] }
    }

    /// The price of the entry for a model that both call the same. Nothing of the entry is copied: requests ask for it.
    package func price(of model: String) -> TokenPrice? {
        own.price(of: model) ?? PriceList.builtInIndex.price(of: model)
    }
}

/// Price of one name or pattern.
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
    /// Day from which the vendor no longer serves the model, such as `2026-12-11`; nil if none is announced.
    package let retires: String?

    package init(name: String, price: TokenPrice, source: Source, retires: String? = nil) {
        self.name = name
        self.price = price
        self.source = source
        self.retires = retires
    }
}
