import Testing

@testable import HeadgateUpstream

@Suite struct OnDeviceBodyTests {
    private static let events =
        #"data: {"choices":[{"index":0,"delta":{"role":"assistant","content":null}}]}"# + "\n\n"
        + #"data: {"choices":[{"index":1,"delta":{"role":"assistant","content":null}}]}"# + "\n\n"
        + #"data: {"choices":[{"index":0,"delta":{"content":"a \"delta\":{\"role\":\"assistant\",\"content\":null}"}}]}"#
        + "\n\ndata: [DONE]\n\n"

    private static let wanted =
        #"data: {"choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}"# + "\n\n"
        + #"data: {"choices":[{"index":1,"delta":{"role":"assistant","content":""}}]}"# + "\n\n"
        + #"data: {"choices":[{"index":0,"delta":{"content":"a \"delta\":{\"role\":\"assistant\",\"content\":null}"}}]}"#
        + "\n\ndata: [DONE]\n\n"

    private func edited(_ chunks: [[UInt8]]) -> String {
        var beginning = EmptyBeginning()
        var output: [UInt8] = []
        for chunk in chunks {
            output += chunk.withUnsafeBytes { beginning.edit($0) } ?? chunk
        }
        return String(decoding: output + beginning.takeRest(), as: UTF8.self)
    }

    @Test func firstEventOfEachChoiceHasAnEmptyTextAtEverySplit() {
        let bytes = Array(Self.events.utf8)
        for split in 0...bytes.count {
            #expect(edited([Array(bytes[..<split]), Array(bytes[split...])]) == Self.wanted)
        }
        #expect(edited(bytes.map { [$0] }) == Self.wanted)
    }

    @Test func endInsideTheBeginningIsPassedOn() {
        let bytes = Array(#"data: {"choices":[{"delta":{"role":"assis"#.utf8)
        #expect(edited([bytes]) == String(decoding: bytes, as: UTF8.self))
    }

    @Test func chunkWithoutAQuotationMarkIsNotCopied() {
        var beginning = EmptyBeginning()
        #expect(Array("\n\n".utf8).withUnsafeBytes { beginning.edit($0) } == nil)
    }
}
