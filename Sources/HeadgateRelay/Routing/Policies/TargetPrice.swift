internal import HeadgatePrices
internal import HeadgatePrimitives

/// The price of a target's tokens.
enum TargetPrice: Sendable {
    /// A price that is fixed when the configuration is loaded; nil if the model's price is unknown.
    case fixed(TokenPrice?)
    /// A price that depends on the requested name, because the target is behind a pattern and receives that name.
    case byName

    var mayBeKnown: Bool { if case .fixed(nil) = self { false } else { true } }

    /// Looks up the price of a target.
    ///
    /// - Parameters:
    ///   - prices: the price list; nil if there is none.
    ///   - upstreamModel: the upstream's name for the model; nil if the requested name is sent.
    ///   - publicModel: a public name or a pattern.
    ///   - isOnDevice: whether the target is the on-device model, which is free.
    ///   - isLocal: whether the configuration declares the upstream to be local. Its models are free unless the user's
    ///     own prices name them.
    init(
        _ prices: PriceList?, upstreamModel: String?, publicModel: String, isOnDevice: Bool, isLocal: Bool = false
    ) {
        guard let prices else {
            self = .fixed(nil)
            return
        }
        if isOnDevice {
            self = .fixed(.free)
        } else if isLocal, prices.ownEntries.isEmpty {
            self = .fixed(.free)
        } else if isLocal {
            let own = prices.entry(for: upstreamModel ?? publicModel, publicModel: publicModel)
            self = .fixed(own.flatMap { $0.source == .builtIn ? nil : $0.price } ?? .free)
        } else if upstreamModel == nil, publicModel.patternPrefix != nil {
            self = .byName
        } else {
            self = .fixed(prices.entry(for: upstreamModel ?? publicModel, publicModel: publicModel)?.price)
        }
    }
}
