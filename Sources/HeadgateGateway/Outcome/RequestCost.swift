internal import HeadgateConfiguration
internal import HeadgatePrimitives

/// What a request has cost.
enum RequestCost: Sendable, Equatable {
    /// In picodollars: 10⁻¹² USD.
    case known(Int)
    /// It has used something, and what that costs is not known: the model's price, or how much it was.
    case unknown

    /// After the point of USD.
    static let digits = 12

    /// USD as a decimal number, exact; nil where it is not known.
    var text: String? {
        guard case .known(let cost) = self else { return nil }
        return DecimalText.text(cost, digits: RequestCost.digits)
    }
}
