import HeadgateConfiguration
import HeadgatePrimitives
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct BudgetWindowTests {
    private func text(_ period: BudgetConfiguration.Period, _ instant: Int64) -> String {
        let window = BudgetWindow(period, at: instant)
        return [window.start, window.end].map { String(Timestamp.dateTime($0).prefix(16)) }.joined(separator: " ")
    }

    /// 1,800,000,000 is Friday, 2027-01-15T08:00:00Z; 1,709,164,800 is 2024-02-29.
    @Test(
        arguments: [
            (.hour, 1_800_000_000, "2027-01-15T08:00 2027-01-15T09:00"),
            (.hour, 1_799_999_999, "2027-01-15T07:00 2027-01-15T08:00"),
            (.day, 1_800_000_000, "2027-01-15T00:00 2027-01-16T00:00"),
            (.week, 1_800_000_000, "2027-01-11T00:00 2027-01-18T00:00"),
            (.month, 1_800_000_000, "2027-01-01T00:00 2027-02-01T00:00"),
            (.month, 1_709_164_800, "2024-02-01T00:00 2024-03-01T00:00"),
            (.month, 1_701_388_799, "2023-11-01T00:00 2023-12-01T00:00"),
            (.month, 1_701_388_800, "2023-12-01T00:00 2024-01-01T00:00"),
            (.day, 0, "1970-01-01T00:00 1970-01-02T00:00"), (.month, -5, "1970-01-01T00:00 1970-02-01T00:00"),
        ] as [(BudgetConfiguration.Period, Int64, String)])
    func windowIsOfTheCalendar(_ period: BudgetConfiguration.Period, _ instant: Int64, _ expected: String) {
        #expect(text(period, instant) == expected)
    }

    @Test(arguments: BudgetConfiguration.Period.allCases)
    func windowsFollowEachOtherWithoutAGap(_ period: BudgetConfiguration.Period) {
        var window = BudgetWindow(period, at: 1_700_000_000)
        for _ in 0..<5000 {
            let next = BudgetWindow(period, at: window.end)
            #expect(next.start == window.end && BudgetWindow(period, at: window.end - 1) == window)
            window = next
        }
    }
}
