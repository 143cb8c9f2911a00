internal import HeadgateConfiguration
internal import HeadgatePrimitives

/// Amount that a subject may use in each calendar period.
struct BudgetRule: Sendable, Equatable {
    /// Unit of the amount.
    enum Unit: Sendable {
        case picodollars
        case tokens
    }

    let unit: Unit
    /// In ``unit``.
    let amount: Int
    let period: BudgetConfiguration.Period
    let isStrict: Bool

    init(_ configuration: BudgetConfiguration) {
        (unit, amount) =
            switch configuration.amount {
            case .usd(let picodollars): (.picodollars, picodollars)
            case .tokens(let count): (.tokens, count)
            }
        period = configuration.period
        isStrict = configuration.isStrict
    }

    /// Text for people.
    var text: String {
        switch unit {
        case .picodollars: "\(DecimalText.text(amount, digits: RequestCost.digits)) USD per \(period.rawValue)"
        case .tokens: "\(amount) tokens per \(period.rawValue)"
        }
    }
}

/// Amounts used, in both units.
struct BudgetSum: Sendable, Equatable {
    var picodollars = 0
    var tokens = 0

    subscript(unit: BudgetRule.Unit) -> Int {
        switch unit {
        case .picodollars: picodollars
        case .tokens: tokens
        }
    }

    static func += (left: inout BudgetSum, right: BudgetSum) {
        left.picodollars = left.picodollars.addingCapped(right.picodollars)
        left.tokens = left.tokens.addingCapped(right.tokens)
    }
}
