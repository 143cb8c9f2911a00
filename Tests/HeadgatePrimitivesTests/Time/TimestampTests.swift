import Foundation
import Testing

@testable import HeadgatePrimitives

@Suite struct TimestampTests {
    private func text(_ nanoseconds: Int64) -> String {
        var line: [UInt8] = []
        Timestamp.append(nanoseconds, to: &line)
        return String(decoding: line, as: UTF8.self)
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000Z"), (951_782_400_000_000_000, "2000-02-29T00:00:00.000Z"),
        (951_868_799_999_999_999, "2000-02-29T23:59:59.999Z"), (951_868_800_000_000_000, "2000-03-01T00:00:00.000Z"),
        (1_709_251_199_001_000_000, "2024-02-29T23:59:59.001Z"),
        (1_735_689_599_999_000_000, "2024-12-31T23:59:59.999Z"),
        (1_763_712_000_000_999_999, "2025-11-21T08:00:00.000Z"),
        (4_107_542_399_000_000_000, "2100-02-28T23:59:59.000Z"),
        (4_107_542_400_000_000_000, "2100-03-01T00:00:00.000Z"), (.max, "2262-04-11T23:47:16.854Z"),
    ])
    func knownDates(_ nanoseconds: Int64, _ expected: String) {
        #expect(text(nanoseconds) == expected)
    }

    @Test func everyDayAgreesWithTheCalendar() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        for day in stride(from: Int64(0), to: 50_000, by: 7) {
            let date = calendar.dateComponents(
                [.year, .month, .day], from: Date(timeIntervalSince1970: Double(day) * 86400))
            let expected = String(format: "%04d-%02d-%02d", date.year ?? 0, date.month ?? 0, date.day ?? 0)
            #expect(text(day * 86_400_000_000_000).hasPrefix(expected))
        }
    }
}
