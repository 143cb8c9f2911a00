internal import HeadgateConfiguration
internal import HeadgatePrimitives
internal import HeadgateRelay

/// Calendar hour, day, week or month in UTC. Instants are seconds since 1970.
struct BudgetWindow: Sendable, Equatable {
    let start: Int64
    /// First instant of the next window.
    let end: Int64

    func contains(_ instant: Int64) -> Bool { start <= instant && instant < end }

    private init(start: Int64, end: Int64) {
        self.start = start
        self.end = end
    }

    /// Creates the window that contains an instant. An instant before 1970 counts as 0.
    init(_ period: BudgetConfiguration.Period, at instant: Int64) {
        let instant = max(instant, 0)
        switch period {
        case .hour: self.init(of: instant, length: 3600)
        case .day: self.init(of: instant, length: 86_400)
        // 1970 began on a Thursday.
        case .week: self.init(of: instant, length: 7 * 86_400, offset: 3 * 86_400)
        case .month: self = BudgetWindow.month(ofDay: instant / 86_400)
        }
    }

    private init(of instant: Int64, length: Int64, offset: Int64 = 0) {
        let start = (instant + offset) / length * length - offset
        self.init(start: start, end: start + length)
    }

    private static func month(ofDay day: Int64) -> BudgetWindow {
        let date = Timestamp.civil(fromDays: day)
        let first = day - date.day + 1
        // The day 31 days after the first of a month is always in the next month.
        let later = Timestamp.civil(fromDays: first + 31)
        let next = first + 31 - later.day + 1
        return BudgetWindow(start: first * 86_400, end: next * 86_400)
    }
}
