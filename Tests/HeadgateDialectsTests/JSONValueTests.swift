import Testing

@testable import HeadgateDialects

@Suite("A JSON value")
struct JSONValueTests {
    @Test("keeps order, numbers and texts when it is rewritten")
    func roundTrip() throws {
        let text = #"{"b":[1.50,-0,1e400,true,false,null],"a":{"é\n":"\u0001\"","":[]}}"#
        let value = try JSONValue(Array(text.utf8))
        #expect(try JSONValue(value.bytes) == value)
        #expect(value["b"]?.array?.first == .number("1.50"))
        #expect(value.text == #"{"b":[1.50,-0,1e400,true,false,null],"a":{"é\n":"\u0001\"","":[]}}"#)
    }

    @Test("refuses invalid JSON", arguments: ["", "{", "[1,]", "{} {}", "nul"])
    func strict(text: String) {
        #expect(throws: (any Error).self) { try JSONValue(Array(text.utf8)) }
    }

    @Test("uses the last of repeated members, and replaces a member in its place")
    func members() throws {
        var object = try #require(try JSONValue(Array(#"{"a":1,"b":2,"a":3}"#.utf8)).object)
        #expect(object["a"]?.integer == 3)
        object["b"] = "x"
        object["c"] = nil
        object["d"] = true
        #expect(JSONValue.object(object).text == #"{"a":1,"b":"x","a":3,"d":true}"#)
    }

    @Test("reads whole numbers however they are written", arguments: [("12", 12), ("1.2e1", 12), ("12.0", 12)])
    func integers(text: String, value: Int) throws { #expect(JSONValue.number(text).integer == value) }

    @Test(
        "rejects token counts that no response can have",
        arguments: [
            ("0", 0), ("1099511627776", 1_099_511_627_776), ("1099511627777", nil), ("-1", nil),
            ("9223372036854775807", nil), ("9223372036854775808", nil), ("1e300", nil), ("1.5", nil),
        ] as [(String, Int?)])
    func tokenCountsAreBounded(text: String, count: Int?) { #expect(JSONValue.number(text).tokenCount == count) }
}
