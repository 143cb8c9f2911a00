import HeadgateDialects
import Testing

@testable import HeadgateRelay

@Suite struct ConversationRequestTests {
    @Test func metadataIsBoundedInBytes() throws {
        let accents = { String(repeating: "\u{301}", count: $0) }
        func read(_ name: String, _ text: String) throws(GatewayError) -> [UInt8] {
            try ConversationRequest.metadata(try? JSONValue(Array(#"{"\#(name)":"\#(text)"}"#.utf8)))
        }
        #expect(try read("a", "e" + accents(511)).count > 1_000)
        #expect(throws: GatewayError.self) { try read("a", "e" + accents(512)) }
        #expect(throws: GatewayError.self) { try read("e" + accents(64), "a") }
    }
}
