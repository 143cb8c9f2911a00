internal import HeadgateConfiguration
internal import HeadgatePrimitives

/// An hour, day, week or month of the calendar in UTC. Instants are seconds since 1970.
struct BudgetWindow: Sendable, Equatable {
    let start: Int64
    /// The first instant of the next one.
    let end: Int64

    func contains(_ instant: Int64) -> Bool { start <= instant && instant < end }

    private init(start: Int64, end: Int64) {
        self.start = start
        self.end = end
    }

    /// That of an instant, which is not before 1970.
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
        // Whatever the month, 31 days after its first are within the next.
        let later = Timestamp.civil(fromDays: first + 31)
        let next = first + 31 - later.day + 1
        return BudgetWindow(start: first * 86_400, end: next * 86_400)
    }
}
