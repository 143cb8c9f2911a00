import Foundation
import Testing

@testable import HeadgateOpenAPI

/// Output of the writer, which equals Foundation's.
@Suite struct JSONTextTests {
    private enum Colour: String, Codable, JSONWritable { case darkBlue = "dark blue" }

    private struct Inner: Encodable, JSONWritable {
        var b: Int
        var a: [String?]
        var none: Int?

        func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("a", a)
            try json.member("b", b)
            try json.member("none", ifPresent: none)
            json.endObject()
        }
    }

    private struct Outer: Encodable, JSONWritable {
        var colour = Colour.darkBlue
        var list = [Inner(b: -1, a: ["x", nil]), Inner(b: .max, a: [], none: 2)]
        var map = ["z": [1.5, -0.0, 1e100, 3, 0.1], "a10": [], "a9": [.leastNonzeroMagnitude], "": [1e-7, 1e16]]
        var text = "é/\"\\ \u{2028} 🙂"
        var upper = ["b": true, "B": false, "_": true, "é": true, "e\u{301}a": false, "ß": true, "z": false, "🙂": true]

        func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("colour", colour)
            try json.member("list", list)
            try json.member("map", map)
            try json.member("text", text)
            try json.member("upper", upper)
            json.endObject()
        }
    }

    private func expectSame(
        _ value: some JSONWritable, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let expected = String(decoding: try encoder.encode(value), as: UTF8.self)
        var json = JSONText()
        try value.write(to: &json)
        #expect(String(decoding: json.bytes, as: UTF8.self) == expected, sourceLocation: sourceLocation)
        #expect(try JSONBody.write(value) == json.bytes, sourceLocation: sourceLocation)
        #expect(try JSONBody.encode(value) == json.bytes, sourceLocation: sourceLocation)
    }

    @Test func objectsListsAndDictionaries() throws {
        try expectSame(Outer())
        try expectSame([Outer(), Outer()])
        try expectSame(["b": Inner(b: 0, a: ["1"]), "a": Inner(b: 1, a: [])])
        try expectSame([String: Int]())
        try expectSame([[Int]]())
        try expectSame([[[1], []], [], [[2, 3]]])
        try expectSame(["a": ["b": [nil, "c"]], "d": [:]] as [String: [String: [String?]]])
    }

    @Test func scalarsAlone() throws {
        try expectSame("a")
        try expectSame(true)
        try expectSame(Colour.darkBlue)
        try expectSame(Int.min)
        try expectSame(2.0)
        try expectSame(1.0 / 3)
        try expectSame(nil as Int?)
    }

    @Test func everyControlCharacterIsEscapedAlike() throws {
        for code in UInt8(0)...0x7F {
            let text = "<" + String(UnicodeScalar(code)) + ">"
            try expectSame([text: text])
        }
    }

    @Test(arguments: [Double.infinity, -.infinity, .nan])
    func valueWithoutAJSONFormIsRefusedWithItsPlace(_ number: Double) {
        var json = JSONText()
        #expect(throws: EncodingError.self) { try number.write(to: &json) }
        let error = #expect(throws: EncodingError.self) { _ = try JSONBody.write(["a": [1, number]]) }
        guard case .invalidValue(_, let context)? = error else { return #expect(Bool(false), "no error") }
        #expect(context.codingPath.map(\.stringValue) == ["a", "Index 1"])
    }

    @Test func codableValueIsWrittenAmongOthers() throws {
        var json = JSONText()
        json.beginObject()
        try json.member("a", [1])
        try json.member("b", Encoded())
        try json.member("c", ifPresent: nil as Int?)
        try json.member("d", [Encoded(), Encoded()])
        json.endObject()
        #expect(
            String(decoding: json.bytes, as: UTF8.self)
                == #"{"a":[1],"b":{"x":1,"y":2},"d":[{"x":1,"y":2},{"x":1,"y":2}]}"#)
    }

    /// A value that encodes two objects into one, like the members of an `anyOf`.
    private struct Encoded: Encodable, JSONWritable {
        func encode(to encoder: any Encoder) throws {
            try ["y": 2].encode(to: encoder)
            try ["x": 1].encode(to: encoder)
        }

        func write(to json: inout JSONText) throws { try json.encode(self) }
    }
}
