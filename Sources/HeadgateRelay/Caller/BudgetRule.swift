package import HeadgateConfiguration
internal import HeadgatePrimitives

/// Amount that a subject may use in each calendar period.
package struct BudgetRule: Sendable, Equatable {
    /// Unit of the amount.
    package enum Unit: Sendable {
        case picodollars
        case tokens
    }

    package let unit: Unit
    /// In ``unit``.
    package let amount: Int
    package let period: BudgetConfiguration.Period
    package let isStrict: Bool

    package init(_ configuration: BudgetConfiguration) {
        (unit, amount) =
            switch configuration.amount {
            case .usd(let picodollars): (.picodollars, picodollars)
            case .tokens(let count): (.tokens, count)
            }
        period = configuration.period
        isStrict = configuration.isStrict
    }

    /// Text of the rule for people.
    package var text: String {
        switch unit {
        case .picodollars: "\(DecimalText.text(amount, digits: RequestCost.digits)) USD per \(period.rawValue)"
        case .tokens: "\(amount) tokens per \(period.rawValue)"
        }
    }
}

/// Amounts used, in both units.
package struct BudgetSum: Sendable, Equatable {
    package var picodollars = 0
    package var tokens = 0

    package init(picodollars: Int = 0, tokens: Int = 0) {
        self.picodollars = picodollars
        self.tokens = tokens
    }

    @inlinable package subscript(unit: BudgetRule.Unit) -> Int {
        switch unit {
        case .picodollars: picodollars
        case .tokens: tokens
        }
    }

    @inlinable package static func += (left: inout BudgetSum, right: BudgetSum) {
        left.picodollars = left.picodollars.addingCapped(right.picodollars)
        left.tokens = left.tokens.addingCapped(right.tokens)
    }
}
