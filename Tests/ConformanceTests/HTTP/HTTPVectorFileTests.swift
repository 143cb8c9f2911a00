import Foundation
import Testing

/// The file itself: the runner knows all of its members, and its placeholders expand as the README describes.
struct HTTPVectorFileTests {
    private let body = #"{"messages":[{"role":"user","content":"{HOST} {a*3} braces"}]}"#
    private var placeholders: HTTPVectorPlaceholders { .init(port: 8_686, key: "hg-key", body: body) }

    private func expanded(_ parts: String...) throws -> [String] {
        try placeholders.expand(parts.map { [UInt8]($0.utf8) }).map { String(decoding: $0, as: UTF8.self) }
    }

    private func input(of id: String) throws -> String {
        let vector = try #require(try HTTPVector.all().first { $0.id == id })
        return try placeholders.expand(vector.parts.map(\.bytes)).map { String(decoding: $0, as: UTF8.self) }.joined()
    }

    @Test func everyKeyOfTheFileIsHonoured() throws {
        let objects = try JSONSerialization.jsonObject(with: Data(contentsOf: HTTPVector.file))
        let cases = try #require(objects as? [[String: Any]])
        #expect(cases.count == 513)
        let known: Set = [
            "id", "group", "rule", "note", "level", "rfc", "input_base64", "input_parts", "fin", "modes", "expect",
        ]
        let knownExpectation: Set = [
            "responses", "connection", "max_requests_seen", "interim", "reply_before_part",
        ]
        let knownAnswer: Set = ["status", "times", "head", "version", "header", "header_if", "body", "body_not"]
        for object in cases {
            let expectation = try #require(object["expect"] as? [String: Any])
            let answers = try #require(expectation["responses"] as? [[String: Any]])
            #expect(known.isSuperset(of: object.keys) && knownExpectation.isSuperset(of: expectation.keys))
            #expect(answers.allSatisfy { knownAnswer.isSuperset(of: $0.keys) })
        }
    }

    @Test func everyCaseIsDecodedAndExpanded() throws {
        let vectors = try HTTPVector.all()
        #expect(vectors.count == 513)
        for vector in vectors {
            #expect(throws: Never.self, "\(vector.id)") { try placeholders.expand(vector.parts.map(\.bytes)) }
            for answer in vector.expectation.answers {
                let conditional = answer.headerByStatus.values.flatMap(\.values)
                let patterns = Array(answer.header.values) + conditional + [answer.version, answer.bodyNot]
                for pattern in patterns.compactMap({ $0 }) {
                    #expect(throws: Never.self, "\(vector.id)") { try NSRegularExpression(pattern: pattern) }
                }
            }
        }
    }

    @Test func absentFieldsAreDecodedAsAbsent() throws {
        let vector = try #require(try HTTPVector.all().first { $0.id == "http10-get" })
        let header = try #require(vector.expectation.answers.first).header
        #expect(header.keys.contains("transfer-encoding") && header["transfer-encoding"] == .some(nil))
    }

    @Test func namesAreReplacedAndOtherBracesAreNot() throws {
        let all = try expanded("{HOST} {PORT} {KEY} {BODY} {PORT+65536} {A} {|} {} {oops {LEN+} {XLENU} {XLEN} {L\r\n}")
        #expect(all == ["127.0.0.1:8686 8686 hg-key \(body) 74222 {A} {|} {} {oops {LEN+} 3E 3e {L\r\n}"])
        #expect(try expanded("{BODY_A}|", "{BODY_B}").joined() == body.prefix(31) + "|" + body.dropFirst(31))
        #expect(try expanded("{XLEN_A} {XLEN_B}") == ["1f 1f"])
        #expect(try input(of: "method-brace").hasPrefix("G{ET /livez"))
    }

    @Test func lengthsExceed64Bits() throws {
        #expect(try expanded("{LEN+18446744073709551616}") == ["18446744073709551678"])
        #expect(try expanded("{XLEN+18446744073709551616}") == ["1000000000000003e"])
        let power = "1" + String(repeating: "0", count: 32)
        #expect(try expanded("{XLEN+340282366920938463463374607431768211394}") == [power])
        #expect(try input(of: "cl-wrap64").contains("Content-Length: 18446744073709551678\r\n"))
        #expect(try input(of: "chunk-size-wrap64").contains("\r\n\r\n1000000000000003e\r\n{"))
    }

    @Test func bytesAreRepeated() throws {
        #expect(try expanded("{a*3}{**2}{}*2}{x*0}{a*}{a*-1}") == ["aaa**}}{a*}{a*-1}"])
        let zeros = "\r\n\r\n" + String(repeating: "0", count: 2_000) + "3e\r\n"
        #expect(try input(of: "chunk-size-many-zeros").contains(zeros))
        #expect(try input(of: "method-long-300").hasPrefix(String(repeating: "A", count: 300) + " /livez"))
    }

    @Test func spansAreMeasuredAfterAllOtherReplacements() throws {
        #expect(try expanded("{LEN1} {XLEN1} {<1}{a*9}{HOST}{1>}!") == ["23 17 aaaaaaaaa127.0.0.1:8686!"])
        #expect(try expanded("{LEN2}{<1}a", "b{<2}c{1>}{2>}{LEN1}") == ["1a", "bc3"])
        let smuggled = "3e\r\n\(body)\r\n0\r\n\r\n"
        let nested = try input(of: "tecl-valid-then-next")
        #expect(nested.contains("Content-Length: \(smuggled.utf8.count)\r\n\r\n\(smuggled)GET /livez?smuggled"))
        let chunk = "GET /livez?smuggled HTTP/1.1\r\nHost: 127.0.0.1:8686\r\n\r\n"
        let size = String(chunk.utf8.count, radix: 16)
        #expect(try input(of: "cl-get-chunked").hasSuffix("\r\n\r\n\(size)\r\n\(chunk)\r\n0\r\n\r\n"))
    }

    @Test(arguments: ["{<1}", "{1>}", "{LEN1}", "{<1}{LEN1}{1>}", "{<1}{<1}{1>}{1>}"])
    func badSpansAreRefused(_ text: String) {
        #expect(throws: HTTPVectorPlaceholders.Failure.badSpan(1)) { try expanded(text) }
    }

    @Test(arguments: HTTPVectorWay.allCases, [0, 1, 2, 5, 65_536, 65_537, 70_000])
    func piecesAreTheInput(_ way: HTTPVectorWay, _ count: Int) {
        let bytes = (0..<count).map { UInt8([97, 98, 13, 10][$0 % 4]) }
        let pieces = way.pieces(of: bytes)
        #expect(pieces.flatMap { bytes[$0] } == bytes)
        #expect(pieces.allSatisfy { !$0.isEmpty })
    }

    @Test func piecesAreCutWhereTheWaySays() {
        let bytes = [UInt8]("a\r\n\r\nb".utf8)
        #expect(HTTPVectorWay.whole.pieces(of: bytes) == [0..<6])
        #expect(HTTPVectorWay.octets.pieces(of: bytes).count == 6)
        #expect(HTTPVectorWay.lines.pieces(of: bytes) == [0..<3, 3..<5, 5..<6])
        #expect(HTTPVectorWay.octets.pieces(of: [UInt8](repeating: 1, count: 65_537)).count == 2_048 + 63)
    }
}
