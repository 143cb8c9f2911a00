import Testing

@testable import HeadgateDialects

@Suite("The vectors of a list of embeddings")
struct EmbeddingEncodingTests {
    private func converted(
        _ vectors: String..., to encoding: EmbeddingEncoding, limit: Int = 1 << 20
    ) throws -> String? {
        let document = Array(list(vectors).utf8)
        return try encoding.converted(document, limit: limit).map { String(decoding: $0, as: UTF8.self) }
    }

    private func list(_ vectors: [String]) -> String {
        let data = vectors.map { #"{"index":0, "embedding": \#($0) ,"object":"embedding"}"# }.joined(separator: ",")
        return #"{ "object":"list","data":[\#(data)],"usage":{"prompt_tokens":2}}"#
    }

    @Test(
        "become base64 of little-endian floats, and numbers again",
        arguments: [
            // Python's `struct` has written the base64 text.
            ("[0.5,-0.25,1,0.1]", "AAAAPwAAgL4AAIA/zczMPQ==", "[0.5,-0.25,1.0,0.1]"),
            ("[ 1e-3 , -2.5E1 ]", "bxKDOgAAyME=", "[0.001,-25.0]"),
            ("[16777217]", "AACASw==", "[16777216.0]"), ("[1e-50,-0.0]", "AAAAAAAAAIA=", "[0.0,-0.0]"),
            ("[3.4028235e38]", "//9/fw==", "[3.4028235e+38]"), ("[]", "", "[]"),
        ])
    func bothWays(numbers: String, base64: String, read: String) throws {
        #expect(try converted(numbers, "[1]", to: .base64) == list(["\"\(base64)\"", #""AACAPw==""#]))
        #expect(try converted("\"\(base64)\"", #""AACAPw""#, to: .float) == list([read, "[1.0]"]))
        #expect(try JSONValue(Array(read.utf8)).array != nil)
        let escaped = base64.replacing("/", with: #"\/"#)
        #expect(try converted("\"\(escaped)\"", to: .float) == list([read]))
    }

    @Test("are unchanged if they have the encoding, which the first one shows")
    func rightForm() throws {
        #expect(try converted(#""AACAPw==""#, "[1]", to: .base64) == nil)
        #expect(try converted("[1]", #""AACAPw==""#, to: .float) == nil)
        for document in [#"{"data":{}}"#, "{}", #"{"data":[]}"#, #"{"data":[1,{"embedding":null},{}]}"#] {
            #expect(try EmbeddingEncoding.base64.converted(Array(document.utf8), limit: 100) == nil)
        }
    }

    @Test(
        "are unchanged if they are not vectors of finite numbers",
        arguments: [
            "[1,null]", "[[1],[2]]", #"["1"]"#, "[1e999]", "{}", "null", "7",
            #""AAAA""#, #""not base64""#, #""AACAfw==""#, #""AADAfw==""#,
        ])
    func noVectors(value: String) throws {
        for encoding in [EmbeddingEncoding.float, .base64] {
            let other = encoding == .float ? #""AACAPw==""# : "[1]"
            let converted = try converted(other, value, to: encoding)
            #expect(converted?.contains(#""embedding": \#(value) ,"#) == true)
            #expect(try self.converted(value, to: encoding) == nil)
        }
    }

    @Test("are refused if the document exceeds its limit")
    func oversize() throws {
        let vector = "\"" + [String](repeating: "AQIDBAUGBwgJCgsM", count: 100).joined() + "\""
        #expect(throws: ResponseFault.oversize) { try converted(vector, to: .float, limit: 3000) }
        #expect(try converted(vector, to: .float, limit: 6000) != nil)
        #expect(throws: ResponseFault.unexpected) {
            try EmbeddingEncoding.base64.converted(Array(#"{"data":[{"embedding":[1}"#.utf8), limit: 1000)
        }
    }

    @Test("may take all of the limit, and not a byte more")
    func limit() throws {
        let written = try #require(try converted("[1]", "[2,3]", to: .base64)).utf8.count
        #expect(try converted("[1]", "[2,3]", to: .base64, limit: written) != nil)
        #expect(throws: ResponseFault.oversize) { try converted("[1]", "[2,3]", to: .base64, limit: written - 1) }
    }

    @Test("are numbers for Ollama's clients, whatever the upstream sends")
    func ollama() throws {
        let document = Array(#"{"data":[{"index":0,"embedding":"AAAAPwAAgL4="}]}"#.utf8)
        let single = try EmbeddingTranslation.response(document, in: .single, ResponseContext())
        #expect(String(decoding: single, as: UTF8.self) == #"{"embedding":[0.5,-0.25]}"#)
    }
}
