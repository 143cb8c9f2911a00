import JSONBytes
import Testing

@Suite struct JSONCursorTests {
    private func withCursor<R>(_ document: String, _ body: (inout JSONCursor) throws -> R) throws -> R {
        try Array(document.utf8).withUnsafeBytes { bytes in
            var cursor = JSONCursor(bytes)
            return try body(&cursor)
        }
    }

    @Test func openContainersAreLimited() throws {
        try Array("[[[]]]".utf8).withUnsafeBytes { bytes in
            var cursor = JSONCursor(bytes, maximumDepth: 2)
            for _ in 0..<2 {
                try cursor.beginArray()
                #expect(try cursor.nextElement())
            }
            #expect(throws: JSONError(.tooDeep, at: 2)) { try cursor.beginArray() }
        }
    }

    @Test func membersAreFoundWithTheirRanges() throws {
        let document = "{\"id\": 1, \"choices\" : [ {\"delta\":{\"content\":\"a\"} , \"finish_reason\":null} ]}"
        let delta = try withCursor(document) { cursor in
            var delta = ""
            try cursor.beginObject()
            while let key = try cursor.nextKey() {
                guard cursor.equals(key, "choices") else {
                    try cursor.skipValue()
                    continue
                }
                try cursor.beginArray()
                while try cursor.nextElement() {
                    try cursor.beginObject()
                    while let member = try cursor.nextKey() {
                        let range = try cursor.skipValue()
                        if cursor.equals(member, "delta") {
                            delta = String(decoding: cursor.bytes(in: range), as: UTF8.self)
                        }
                    }
                }
            }
            try cursor.finish()
            return delta
        }
        #expect(delta == "{\"content\":\"a\"}")
    }

    @Test(arguments: ["]", "[]]", "1]"]) func endOfNoContainerIsAnError(_ document: String) throws {
        try withCursor(document) { cursor in
            if document != "]" { try cursor.skipValue() }
            #expect(throws: JSONError.self) { try cursor.nextElement() }
        }
    }

    @Test(arguments: ["model", "mod\\u0065l", "\\u006dodel", "m\\u006Fdel"])
    func escapedKeyIsTheSameKey(_ written: String) throws {
        try withCursor("\"\(written)\"") { cursor in
            let string = try cursor.string()
            #expect(cursor.equals(string, "model"))
            #expect(!cursor.equals(string, "modes"))
            #expect(!cursor.equals(string, "mode"))
            #expect(cursor.decoded(string) == "model")
        }
    }

    @Test(arguments: ["", "a", "abc", "abcd", "abcde", "abcdefgh", "abcdefghi", "abcdefghijklmnop"])
    func keysDifferInAnySingleByte(_ text: String) throws {
        let expected: [String: StaticString] = [
            "": "", "a": "a", "abc": "abc", "abcd": "abcd", "abcde": "abcde", "abcdefgh": "abcdefgh",
            "abcdefghi": "abcdefghi", "abcdefghijklmnop": "abcdefghijklmnop",
        ]
        let wanted = try #require(expected[text])
        func isWanted(_ written: [UInt8]) throws -> Bool {
            try withCursor("\"\(String(decoding: written, as: UTF8.self))\"") { cursor in
                let string = try cursor.string()
                return cursor.equals(string, wanted)
            }
        }
        #expect(try isWanted(Array(text.utf8)))
        for index in 0..<text.utf8.count {
            var other = Array(text.utf8)
            other[index] ^= 1
            #expect(try !isWanted(other))
        }
    }

    @Test(arguments: [
        ("\\\"\\\\\\/\\b\\f\\n\\r\\t", "\"\\/\u{8}\u{C}\n\r\t"), ("\\ud83d\\ude00", "\u{1F600}"), ("é\\u00e9語", "éé語"),
        ("\\ud83d", "\u{FFFD}"), ("\\ude00x", "\u{FFFD}x"), ("\\ud83d\\ud83d\\ude00", "\u{FFFD}\u{1F600}"),
        ("\\ud83d\\ue000", "\u{FFFD}\u{E000}"), ("\\ud83d\\n", "\u{FFFD}\n"), ("\\u0000", "\u{0}"),
        ("\\uFFFF", "\u{FFFF}"),
    ])
    func escapesAreDecoded(_ written: String, _ text: String) throws {
        let decoded = try withCursor("\"\(written)\"") { cursor in
            let string = try cursor.string()
            return cursor.decoded(string)
        }
        #expect(decoded == text)
    }

    @Test(
        arguments: [
            ("0", 0), ("-0", 0), ("42", 42), ("9223372036854775807", Int.max), ("-9223372036854775808", Int.min),
            ("9223372036854775808", nil), ("-9223372036854775809", nil), ("1.0", 1), ("1e2", 100), ("-1.20e1", -12),
            ("1.5", nil), ("1e99", nil), ("1e-1", nil),
            ("\"1\"", nil),
            ("null", nil),
            ("[1]", nil), (String(repeating: "9", count: 1_024), nil),
        ] as [(String, Int?)])
    func integersAreReadIfTheyFit(_ document: String, _ expected: Int?) throws {
        let integer = try withCursor(document) { cursor in
            let integer = try cursor.integer()
            try cursor.finish()
            return integer
        }
        #expect(integer == expected)
    }

    @Test func booleansAreRead() throws {
        #expect(try withCursor("true") { try $0.bool() })
        #expect(try withCursor(" false") { try $0.bool() } == false)
        #expect(throws: JSONError(.syntax, at: 2)) { try withCursor("trie") { try $0.bool() } }
    }

    @Test func valueOfAnotherKindIsNotASyntaxError() {
        let error = JSONError(.unexpectedKind, at: 1)
        #expect(throws: error) { try withCursor(" 1") { try $0.string() } }
        #expect(throws: error) { try withCursor(" {}") { try $0.beginArray() } }
        #expect(throws: error) { try withCursor(" []") { try $0.beginObject() } }
        #expect(throws: error) { try withCursor(" \"\"") { try $0.bool() } }
        #expect(throws: JSONError(.syntax, at: 1)) { try withCursor(" x") { try $0.string() } }
        #expect(throws: JSONError(.endOfInput, at: 1)) { try withCursor(" ") { try $0.string() } }
    }

    @Test func unconsumedValueIsNoticed() {
        #expect(throws: JSONError(.syntax, at: 5)) {
            try withCursor("{\"a\":1}") { cursor in
                try cursor.beginObject()
                while try cursor.nextKey() != nil {}
            }
        }
    }

    @Test func unreadOrOpenDocumentIsNotFinished() {
        #expect(throws: JSONError(.endOfInput, at: 0)) { try withCursor("") { try $0.finish() } }
        #expect(throws: JSONError(.endOfInput, at: 1)) {
            try withCursor("[") { cursor in
                try cursor.beginArray()
                try cursor.finish()
            }
        }
    }

    @Test func copyIsABookmark() throws {
        try withCursor("[1,2]") { cursor in
            try cursor.beginArray()
            var ahead = cursor
            while try ahead.nextElement() { try ahead.skipValue() }
            try ahead.finish()
            #expect(try cursor.nextElement())
            #expect(try cursor.integer() == 1)
        }
    }

    @Test func repeatedKeyIsReportedByItsText() throws {
        try withCursor("{\"a\":1,\"\\u0061\":2}") { cursor in
            try cursor.beginObject()
            _ = try cursor.nextKey()
            try cursor.skipValue()
            let key = try #require(try cursor.nextKey())
            #expect(cursor.duplicateKey(key) == JSONError(.duplicateKey("a"), at: 8))
        }
    }

    @Test func descriptionIsOneLineWithThePosition() {
        #expect(JSONError(.syntax, at: 17).description == "invalid JSON at byte 17")
        let error = JSONError(.duplicateKey("a\n\"b"), at: 3)
        #expect(error.description == #"JSON member "a\n\"b" is repeated at byte 3"#)
    }

    @Test func emptyBufferIsAnEarlyEnd() {
        var cursor = JSONCursor(UnsafeRawBufferPointer(start: nil, count: 0))
        #expect(throws: JSONError(.endOfInput, at: 0)) { try cursor.skipValue() }
    }
}
