import HTTPTypes
import HeadgateHTTP
import Testing

@testable import HeadgateServer

/// Memoized heads against every head of `Tests/Vectors/http1.json`.
@Suite struct HeadMemoVectorTests {
    private struct Meaning: Equatable {
        let request: HTTPRequest
        let bodyLength: BodyLength
        let flags: [Bool]
        let count: Int

        init(_ head: RequestHead, count: Int) {
            request = head.request
            bodyLength = head.bodyLength
            flags = [head.isHTTP10, head.closes, head.expectsContinue, head.asksExplanation]
            self.count = count
        }
    }

    /// Returns the first head of the input; nil if it is refused or incomplete.
    private func parsed(_ input: [UInt8]) -> (head: RequestHead, meaning: Meaning)? {
        input.withUnsafeBytes { bytes in
            var (parser, offset) = (RequestHeadParser(), 0)
            guard let head = try? parser.parse(bytes, &offset) else { return nil }
            return (head, Meaning(head, count: offset))
        }
    }

    private func found(_ input: [UInt8], in memo: HeadMemo) -> Meaning? {
        var place = 0
        return input.withUnsafeBytes { memo.find($0, at: &place) }.map { Meaning($0.head, count: $0.count) }
    }

    private func memo(of head: RequestHead) -> HeadMemo {
        let memo = HeadMemo()
        var place = 0
        for _ in 0..<2 { memo.keep(head, at: &place, (1, 2, 3, 4)) }
        return memo
    }

    private func inputs() throws -> [[UInt8]] {
        let placeholders = HTTPVectorPlaceholders(port: 8686, key: "vector-key", body: #"{"model":"m"}"#)
        return try HTTPVector.all().map { try placeholders.expand($0.parts.map(\.bytes)).flatMap(\.self) }
    }

    @Test func everyVectorIsReadAlikeWithAnyMemo() throws {
        let inputs = try inputs()
        let cold = inputs.map { parsed($0) }
        var warm = 0
        for (input, own) in zip(inputs, cold) {
            guard let own else { continue }
            let memo = memo(of: own.head)
            if found(input, in: memo) == own.meaning { warm += 1 }
            for (other, expected) in zip(inputs, cold) {
                guard let meaning = found(other, in: memo) else { continue }
                #expect(meaning == expected?.meaning, "\(String(decoding: other, as: UTF8.self))")
            }
        }
        // The memo finds all accepted heads except those that begin with an empty line, contain a whole URL, or are too
        // long.
        #expect(warm >= 180, "\(warm) of \(cold.count { $0 != nil })")
    }

    @Test func changedHeadsAreReadByTheirBytes() throws {
        let text =
            "POST /v1/chat/completions?a=b HTTP/1.1\r\nHost: 127.0.0.1:8686\r\nContent-Length: 285\r\n"
            + "Authorization: Bearer vector-key\r\nContent-Type: application/json\r\n\r\n{}"
        let original = Array(text.utf8)
        let memo = memo(of: try #require(parsed(original)).head)
        var warm = 0
        for index in original.indices {
            for byte in [0x00, 0x0A, 0x0D, 0x20, 0x30, 0x39, 0x2C, 0x3A, 0x41, 0x61, 0x7F, 0x80, 0xFF] as [UInt8] {
                var changed = original
                changed[index] = byte
                guard let meaning = found(changed, in: memo) else { continue }
                warm += 1
                #expect(meaning == parsed(changed)?.meaning, "byte \(index) is \(byte)")
            }
        }
        // The memo finds heads with an unchanged byte, with another digit of the length, or with another body.
        #expect(warm > 30)
        for text in ["28", "2850", "-85", "2 5", "+85", "0x5"] {
            let changed = Array(String(decoding: original, as: UTF8.self).replacing("285", with: text).utf8)
            #expect(found(changed, in: memo) == nil, "\(text)")
        }
    }
}
