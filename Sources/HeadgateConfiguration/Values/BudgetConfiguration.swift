internal import HeadgatePrimitives

/// Maximum usage in each hour, day, week or month.
package struct BudgetConfiguration: Sendable, Hashable {
    package enum Amount: Sendable, Hashable {
        /// Picodollars (10⁻¹² USD), from 1,000,000 (a millionth of a dollar) to 10¹⁸.
        case usd(Int)
        /// Tokens of prompts and completions, from 1 to 1,000,000,000,000.
        case tokens(Int)
    }

    /// Calendar period in UTC. Weeks begin on Mondays.
    package enum Period: String, Sendable, CaseIterable {
        case hour
        case day
        case week
        case month

        package var longest: Duration {
            switch self {
            case .hour: .seconds(3600)
            case .day: .seconds(86_400)
            case .week: .seconds(7 * 86_400)
            case .month: .seconds(31 * 86_400)
            }
        }
    }

    package var amount: Amount
    package var period: Period
    /// Whether requests are rejected while earlier usage is unknown.
    package var isStrict: Bool

    package init(_ amount: Amount, every period: Period, isStrict: Bool = false) {
        self.amount = amount
        self.period = period
        self.isStrict = isStrict
    }

    static let expectedUSD = "USD such as 20 or 0.50 (at most 1000000, six digits after the point)"
    static let expectedTokens = "a number of tokens, perhaps with k or M, such as 5M"

    static func usd(_ text: String) throws(InvalidValue) -> Amount {
        guard let millionths = DecimalText.number(text, digits: 6), (1...1_000_000_000_000).contains(millionths) else {
            throw InvalidValue("expected \(expectedUSD)")
        }
        return .usd(millionths * 1_000_000)
    }

    static func tokens(_ text: String) throws(InvalidValue) -> Amount {
        guard let count = WholeNumber.scaled(text.utf8[...], upTo: 1_000_000_000_000), count > 0 else {
            throw InvalidValue("expected \(expectedTokens)")
        }
        return .tokens(count)
    }
}
