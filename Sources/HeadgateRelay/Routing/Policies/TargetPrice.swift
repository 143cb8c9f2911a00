package import HeadgatePrices
internal import HeadgatePrimitives

/// What a target's tokens cost.
package enum TargetPrice: Sendable {
    /// Known when the configuration is read; nil for a model whose price nobody knows.
    case fixed(TokenPrice?)
    /// A pattern sends on whatever name it matches.
    case byName

    var mayBeKnown: Bool { if case .fixed(nil) = self { false } else { true } }

    /// - Parameters:
    ///   - publicModel: a name or a pattern.
    ///   - isOnDevice: whether it is the model on this device, which costs nothing.
    package init(_ prices: PriceList?, upstreamModel: String?, publicModel: String, isOnDevice: Bool) {
        guard let prices else {
            self = .fixed(nil)
            return
        }
        if isOnDevice {
            self = .fixed(.free)
        } else if upstreamModel == nil, publicModel.patternPrefix != nil {
            self = .byName
        } else {
            self = .fixed(prices.entry(for: upstreamModel ?? publicModel, publicModel: publicModel)?.price)
        }
    }
}
