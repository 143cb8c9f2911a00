import HeadgateStores
import Testing

@Suite struct RedisReplyParserTests {
    private static let samples: [(text: String, reply: RedisReply)] = [
        ("+OK\r\n", .status("OK")),
        ("+\r\n", .status("")),
        ("-NOSCRIPT No matching script.\r\n", .error("NOSCRIPT No matching script.")),
        (":0\r\n", .integer(0)),
        (":-7\r\n", .integer(-7)),
        (":9223372036854775807\r\n", .integer(.max)),
        (":-9223372036854775808\r\n", .integer(.min)),
        ("$0\r\n\r\n", .bytes([])),
        ("$5\r\na\r\nb\0\r\n", .bytes([0x61, 0x0D, 0x0A, 0x62, 0])),
        ("$-1\r\n", .none),
        ("*-1\r\n", .none),
        ("*0\r\n", .list([])),
        ("*3\r\n:1\r\n$1\r\nx\r\n*1\r\n*0\r\n", .list([.integer(1), .bytes([0x78]), .list([.list([])])])),
    ]

    private static var everything: (bytes: [UInt8], replies: [RedisReply]) {
        (samples.flatMap { Array($0.text.utf8) }, samples.map(\.reply))
    }

    private func replies(_ pieces: [[UInt8]]) throws -> [RedisReply] {
        var parser = RedisReplyParser()
        var replies: [RedisReply] = []
        for piece in pieces {
            parser.feed(piece)
            while let reply = try parser.next() { replies.append(reply) }
        }
        #expect(parser.isBetweenReplies)
        return replies
    }

    @Test func repliesAreReadAtOnce() throws {
        #expect(try replies([Self.everything.bytes]) == Self.everything.replies)
    }

    @Test func repliesAreReadByteByByte() throws {
        #expect(try replies(Self.everything.bytes.map { [$0] }) == Self.everything.replies)
    }

    @Test func repliesAreReadAtEverySplit() throws {
        let (bytes, expected) = Self.everything
        for split in bytes.indices {
            #expect(try replies([Array(bytes[..<split]), Array(bytes[split...])]) == expected)
        }
    }

    @Test func memoryOfReadBytesIsReleased() throws {
        var parser = RedisReplyParser()
        let text = Array("$1000\r\n".utf8) + [UInt8](repeating: 0x61, count: 1000) + [0x0D, 0x0A]
        for _ in 0..<2000 {
            parser.feed(text)
            #expect(try parser.next() == .bytes([UInt8](repeating: 0x61, count: 1000)))
        }
        #expect(parser.isBetweenReplies)
    }

    @Test(arguments: [
        "x\r\n", "OK\r\n", "\r\n", "\n", "+OK\n", "+a\rb\r\n", ":\r\n", ":1a\r\n", ":+1\r\n", ":--1\r\n", ": 1\r\n",
        ":9223372036854775808\r\n", ":-9223372036854775809\r\n", ":00000000000000000001\r\n", "$-2\r\n", "$x\r\n",
        "$1\r\nab\r\n", "$2\r\nab\n\n", "*-2\r\n", "*1\r\n?\r\n", "_\r\n", "%1\r\n+a\r\n+b\r\n",
    ])
    func protocolViolationIsFinal(_ text: String) {
        var parser = RedisReplyParser()
        parser.feed(Array(text.utf8))
        for _ in 0..<2 { #expect(throws: RedisReplyParser.Failure.malformed) { try parser.next() } }
        parser.feed(Array("+OK\r\n".utf8))
        #expect(throws: RedisReplyParser.Failure.malformed) { try parser.next() }
    }

    @Test func tooLargeReplyIsRefusedEarly() {
        var limits = RedisReplyParser.Limits()
        (limits.text, limits.line, limits.elements, limits.depth, limits.total) = (10, 20, 3, 2, 6)
        let tooLarge = [
            "$11\r\n", "+" + String(repeating: "a", count: 21), "-" + String(repeating: "a", count: 30) + "\r\n",
            "*4\r\n", "*1\r\n*1\r\n*1\r\n", "*3\r\n*2\r\n:1\r\n:2\r\n*2\r\n:3\r\n:4\r\n",
        ]
        for text in tooLarge {
            var parser = RedisReplyParser(limits: limits)
            parser.feed(Array(text.utf8))
            #expect(throws: RedisReplyParser.Failure.tooLarge, "\(text)") { while try parser.next() != nil {} }
        }
    }

    @Test func limitOfElementsAppliesPerReply() throws {
        var limits = RedisReplyParser.Limits()
        limits.total = 2
        var parser = RedisReplyParser(limits: limits)
        for _ in 0..<5 {
            parser.feed(Array("*1\r\n:1\r\n".utf8))
            #expect(try parser.next() == .list([.integer(1)]))
        }
    }

    @Test func commandIsAListOfArbitraryTexts() {
        var command = RedisCommand("SET")
        command.append([0x0D, 0x0A, 0xFF])
        command.append(-5)
        var bytes: [UInt8] = []
        command.write(to: &bytes)
        #expect(
            bytes == Array("*3\r\n$3\r\nSET\r\n$3\r\n".utf8) + [0x0D, 0x0A, 0xFF] + Array("\r\n$2\r\n-5\r\n".utf8))
    }
}
