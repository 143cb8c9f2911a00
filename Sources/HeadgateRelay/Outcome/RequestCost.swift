internal import HeadgateConfiguration
internal import HeadgatePrimitives

/// Cost of a request.
package enum RequestCost: Sendable, Equatable {
    /// In picodollars: 10⁻¹² USD.
    case known(Int)
    /// The request used something of unknown cost: the price of the model, or the amount, is not known.
    case unknown

    /// Digits after the decimal point of USD.
    package static let digits = 12

    /// USD as an exact decimal number; nil if the cost is not known.
    package var text: String? {
        guard case .known(let cost) = self else { return nil }
        return DecimalText.text(cost, digits: RequestCost.digits)
    }
}
