/// The prices of models: those of the user's price file, and the built-in ones for models that are not in it.
package struct PriceList: Sendable, Equatable {
    /// The user's prices.
    private let own: PriceIndex

    /// Creates a price list.
    ///
    /// - Parameter own: The user's names and patterns, without duplicates.
    package init(own: [PriceEntry] = []) { self.own = PriceIndex(own) }

    /// The entries of the built-in table.
    package static var builtIn: [PriceEntry] { BuiltInPrices.entries }
    /// The number of models in the built-in table that have special prices, such as those of tiers.
    package static var specialCount: Int { BuiltInPrices.special.count }
    /// The source and date of the built-in prices.
    package static var builtInOrigin: String { "\(BuiltInPrices.source), \(BuiltInPrices.date)" }

    private static let builtInIndex = PriceIndex(BuiltInPrices.entries)

    /// The user's entries, in the order of their file.
    package var ownEntries: [PriceEntry] { own.entries }

    /// Returns the day from which a model's vendor no longer serves it, such as `2026-12-11`; nil if none is announced.
    package static func retirement(of model: String) -> String? {
        builtInIndex.place(of: model).flatMap { builtInIndex.entries[$0].retires }
    }

    /// Returns the price of a model; nil if it is unknown. The file takes precedence over the table, under either name.
    ///
    /// - Parameters:
    ///   - upstreamModel: The upstream's name for the model.
    ///   - publicModel: The public name.
    package func entry(for upstreamModel: String, publicModel: String) -> PriceEntry? {
        if let place = own.place(of: upstreamModel, or: publicModel) { return own.entries[place] }
        let builtIn = PriceList.builtInIndex
        return builtIn.place(of: upstreamModel, or: publicModel).map { builtIn.entries[$0] }
    }

    /// Returns the price of a model whose upstream name and public name are the same. It is called for requests, so it
    /// copies nothing of the entry.
    package func price(of model: String) -> TokenPrice? {
        own.price(of: model) ?? PriceList.builtInIndex.price(of: model)
    }
}

/// The price of one name or pattern.
package struct PriceEntry: Sendable, Equatable {
    package enum Source: Sendable, Equatable {
        case builtIn
        /// A place in a file, such as `prices.yaml:3`.
        case file(String)
    }

    /// A model's name, or a prefix followed by `*`.
    package let name: String
    package let price: TokenPrice
    package let source: Source
    /// The day from which the vendor no longer serves the model, such as `2026-12-11`; nil if none is announced.
    package let retires: String?

    package init(name: String, price: TokenPrice, source: Source, retires: String? = nil) {
        self.name = name
        self.price = price
        self.source = source
        self.retires = retires
    }
}
