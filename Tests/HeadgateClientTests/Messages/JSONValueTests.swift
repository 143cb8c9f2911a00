import Testing

@testable import HeadgateClient

@Suite struct JSONValueTests {
    @Test func literalIsTheDocument() throws {
        let value: JSONValue = ["a": [1, 2.5, "x", true, nil], "b": [:]]
        #expect(String(decoding: try JSONCoding.encode(value), as: UTF8.self) == #"{"a":[1,2.5,"x",true,null],"b":{}}"#)
    }

    @Test func documentIsReadBack() throws {
        let text = #"{"a":[1,2.5,"x",true,null,1e30,-9223372036854775808],"b":{}}"#
        let value = try JSONCoding.decode(JSONValue.self, from: Array(text.utf8))
        #expect(value == ["a": [1, 2.5, "x", true, nil, 1e30, .integer(.min)], "b": [:]])
    }

    @Test func partsOfAMessageSurvive() throws {
        let text = #"[{"text":"a","type":"text"},{"image_url":{"url":"u"},"type":"image_url"},{"x":1,"type":"new"}]"#
        let content = try JSONCoding.decode(MessageContent.self, from: Array(text.utf8))
        #expect(content == .parts([.text("a"), .image(url: "u"), .other(["x": 1, "type": "new"])]))
        #expect(content.text == "a")
        #expect(try JSONCoding.decode(MessageContent.self, from: JSONCoding.encode(content)) == content)
    }
}
