import HeadgateConfiguration
import Testing

/// The `inspect` mapping.
@Suite struct InspectTests {
    private static let upstream = "upstreams: {a: {kind: openai, base_url: \"http://127.0.0.1:1\"}}\n"

    private func inspect(_ text: String) throws -> InspectConfiguration? {
        try parse(InspectTests.upstream + text + "\n").inspect
    }

    @Test func nothingIsStoredByDefault() throws {
        #expect(try inspect("") == nil)
        #expect(try inspect("inspect:") == nil)
    }

    @Test func bothBoundsAreRead() throws {
        #expect(try inspect("inspect: {}") == InspectConfiguration(requests: 100, bodies: 64 << 10))
        #expect(
            try inspect("inspect: {requests: 7, bodies: 1MiB}") == InspectConfiguration(requests: 7, bodies: 1 << 20))
    }

    @Test(arguments: [
        BadInput(
            "inspect: {requests: 0}", "2:21: error: requests: found \"0\", expected a whole number from 1 to 1000"),
        BadInput(
            "inspect: {bodies: 5MiB}",
            "2:19: error: bodies: found \"5MiB\", expected a size such as 64KiB (from 1KiB to 4MiB)"),
        BadInput(
            "inspect: {requests: 1000, bodies: 1MiB}",
            "2:1: error: inspect: requests times bodies is above 256MiB: store fewer requests, or less of each body"),
    ]) func unboundedMemoryIsRefused(_ input: BadInput) {
        BadInput(InspectTests.upstream + input.text + "\n", input.issue).check()
    }
}
