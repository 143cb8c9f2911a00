import Foundation
import Testing

@testable import HeadgateOpenAPI

/// What is written is what Foundation writes, or nothing.
@Suite struct JSONWriterTests {
    private enum Colour: String, Codable { case darkBlue = "dark blue" }

    private struct Inner: Encodable {
        var b: Int
        var a: [String?]
        var none: Int?
    }

    private struct Outer: Encodable {
        var text = "é/\"\\ \u{2028} 🙂"
        var upper = ["b": true, "B": false, "_": true]
        var colour = Colour.darkBlue
        var list = [Inner(b: -1, a: ["x", nil]), Inner(b: .max, a: [], none: 2)]
        var map = ["z": [1.5, -0.0, 1e100, 3, 0.1], "a10": [], "a9": [.leastNonzeroMagnitude], "": [1e-7, 1e16]]
        var small: Float = 0.1
        var null: Int?
        var bytes: [UInt8] = [0, 255]
        var under = ["_b": ["b"], "b": ["a"], "a b": [], "a": []]
    }

    /// Two objects in one, as the members of an `anyOf` are.
    private struct Both: Encodable {
        let parts: [[String: Int]]

        func encode(to encoder: any Encoder) throws { for part in parts { try part.encode(to: encoder) } }
    }

    private func foundation(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    private func expectSame(
        _ value: some Encodable, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let written = try #require(JSONWriter.bytes(of: value), sourceLocation: sourceLocation)
        #expect(try String(decoding: written, as: UTF8.self) == foundation(value), sourceLocation: sourceLocation)
    }

    @Test func objectsListsAndDictionaries() throws {
        try expectSame(Outer())
        try expectSame([Outer(), Outer()])
        try expectSame(["b": Inner(b: 0, a: ["1"]), "a": Inner(b: 1, a: [])])
        try expectSame([String: Int]())
        try expectSame([[Int]]())
        try expectSame([Date(timeIntervalSinceReferenceDate: 1.25)])
    }

    @Test func scalarsAlone() throws {
        try expectSame("a")
        try expectSame(true)
        try expectSame(Colour.darkBlue)
        try expectSame(Int8.min)
        try expectSame(UInt64.max)
        try expectSame(2.0)
        try expectSame(Float(1) / 3)
        try expectSame(nil as Int?)
    }

    @Test func everyControlCharacterIsEscapedAlike() throws {
        for code in UInt8(0)...0x7F { try expectSame(["k": "<" + String(UnicodeScalar(code)) + ">"]) }
    }

    @Test func membersOfSeveralObjectsAreOfOne() throws {
        try expectSame(Both(parts: [["b": 1], ["a": 2]]))
        try expectSame(Both(parts: [["a": 1, "c": 1], ["b": 2, "a": 3]]))
        try expectSame([Both(parts: [["a": 1], ["a": 2]]), Both(parts: [[:], ["x": 1]])])
    }

    /// Asks for what no generated type asks for.
    private struct Nesting: Encodable {
        let way: Int

        private enum Key: String, CodingKey { case a }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            switch way {
            case 0:
                var nested = container.nestedContainer(keyedBy: Key.self, forKey: .a)
                try nested.encode(1, forKey: .a)
            case 1:
                var nested = container.nestedUnkeyedContainer(forKey: .a)
                try nested.encode(1)
            default: try 1.encode(to: container.superEncoder(forKey: .a))
            }
        }
    }

    @Test func whatItDoesNotKnowIsLeftToFoundation() throws {
        let link = try #require(URL(string: "https://example.com/a"))
        #expect(JSONWriter.bytes(of: Data([1, 2])) == nil)
        #expect(JSONWriter.bytes(of: ["a": [link]]) == nil)
        #expect(JSONWriter.bytes(of: Decimal(1)) == nil)
        #expect(JSONWriter.bytes(of: Double.nan) == nil)
        #expect(JSONWriter.bytes(of: ["é": 1]) == nil)
        #expect(JSONWriter.bytes(of: Both(parts: [])) == nil)
        #expect(throws: EncodingError.self) { _ = try JSONBody.encode([Double.infinity]) }
        for way in 0...2 {
            #expect(JSONWriter.bytes(of: Nesting(way: way)) == nil)
            let bytes = try JSONBody.encode(Nesting(way: way))
            #expect(try String(decoding: bytes, as: UTF8.self) == foundation(Nesting(way: way)))
        }
        let bytes = try JSONBody.encode(["b": link, "a": link])
        #expect(try String(decoding: bytes, as: UTF8.self) == foundation(["b": link, "a": link]))
    }
}
