internal import HeadgateConfiguration
internal import HeadgatePrimitives

/// What a subject may use in each time of the calendar.
struct BudgetRule: Sendable, Equatable {
    /// What is counted.
    enum Unit: Sendable {
        case picodollars
        case tokens
    }

    let unit: Unit
    /// Units.
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

    /// For people.
    var text: String {
        switch unit {
        case .picodollars: "\(DecimalText.text(amount, digits: RequestCost.digits)) USD per \(period.rawValue)"
        case .tokens: "\(amount) tokens per \(period.rawValue)"
        }
    }
}

/// What was used of both.
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
