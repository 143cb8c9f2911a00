import Testing

@testable import HeadgateRelay

@Suite struct ChatCallNumbersTests {
    private func numbered(_ numbers: inout ChatCallNumbers, _ calls: String, choice: String = #""index":0,"#) throws
        -> String?
    {
        let chunk = #"{"choices":[{\#(choice)"delta":{"tool_calls":[\#(calls)]}}]}"#
        return try Array(chunk.utf8).withUnsafeBytes { try numbers.numbered($0) }
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the number of the first call in a chunk.
    private func number(_ numbers: inout ChatCallNumbers, _ call: String, choice: Int = 0) throws -> Int? {
        let text = try numbered(&numbers, call, choice: #""index":\#(choice),"#)
        return text.flatMap { $0.firstMatch(of: #/tool_calls":\[\{"index":(\d+),/#) }.flatMap { Int($0.1) }
    }

    @Test func callsAreNumberedInTheOrderOfTheirBeginning() throws {
        var numbers = ChatCallNumbers()
        for (call, expected) in [
            (#"{"function":{"arguments":"{"}}"#, 0), (#"{"id":"a","function":{"name":"f"}}"#, 0),
            (#"{"function":{"arguments":"{"}}"#, 0), (#"{"id":"b","function":{"name":"f"}}"#, 1),
            (#"{"id":"","function":{"name":"","arguments":"}"}}"#, 1), (#"{"id":"a","function":{}}"#, 0),
            (#"{"function":{"name":"g"}}"#, 2), (#"{"custom":{"name":"g"}}"#, 3), (#"{"id":7,"function":{}}"#, 3),
        ] {
            #expect(try number(&numbers, call) == expected, "\(call)")
        }
        #expect(!numbers.areWritten)
    }

    @Test func everyChoiceCountsItsOwnCalls() throws {
        var numbers = ChatCallNumbers()
        for (choice, id, expected) in [(0, "a", 0), (1, "b", 0), (1, "c", 1), (0, "d", 1), (1, "a", 2)] {
            #expect(try number(&numbers, #"{"id":"\#(id)","type":"function"}"#, choice: choice) == expected)
        }
    }

    @Test func numbersOfTheUpstreamStay() throws {
        var numbers = ChatCallNumbers()
        #expect(try numbered(&numbers, "") == nil && !numbers.areWritten, "no call decides nothing")
        #expect(try numbered(&numbers, #"{"index":0,"id":"a"},{"index":1,"id":"b"}"#) == nil && numbers.areWritten)
        var others = ChatCallNumbers()
        let mixed = try numbered(&others, #"{"index":4,"id":"a"},{"index": null ,"id":"b"},{},7"#)
        #expect(mixed?.contains(#"[{"index":4,"id":"a"},{"index": 0 ,"id":"b"},{},7]"#) == true)
        #expect(!others.areWritten)
    }

    @Test func callsBeyondTheLimitStayAsTheyAre() throws {
        var numbers = ChatCallNumbers()
        for expected in 0..<128 { #expect(try number(&numbers, #"{"id":"\#(expected)"}"#) == expected) }
        #expect(try numbered(&numbers, #"{"id":"128"}"#) == nil)
    }
}
