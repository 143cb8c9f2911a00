import Testing

@testable import HeadgateService

@Suite struct ProcessReadingTests {
    private let stat =
        "42 (a ) name) S 1 42 42 0 -1 4194304 100 0 0 0 150 50 0 0 20 0 7 0 12345 8192000 250 18446744073709551615 1"

    private func parsed(_ stat: String) -> ProcessReading? {
        ProcessReading(
            stat: stat, systemStat: "cpu 1 2\nbtime 1700000000\nprocesses 5\n", ticks: 100, page: 4096,
            openDescriptors: 9, mostDescriptors: 1024)
    }

    @Test func fieldsAreThoseOfTheKernel() throws {
        let reading = try #require(parsed(stat))
        #expect(reading.processorTime == 2 && reading.startTime == 1_700_000_123.45)
        #expect(reading.threads == 7 && reading.virtualMemory == 8_192_000 && reading.residentMemory == 250 * 4096)
    }

    @Test func invalidReadingIsNil() {
        #expect(parsed("42 (x) S 1") == nil && parsed("") == nil)
    }

    @Test func thisProcessHasOne() throws {
        let reading = try #require(ProcessReading.now())
        #expect(reading.residentMemory > 0 && reading.openDescriptors > 0 && reading.startTime > 1_700_000_000)
    }
}
