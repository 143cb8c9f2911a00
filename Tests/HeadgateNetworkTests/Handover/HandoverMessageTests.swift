import HeadgateTesting
import Testing

@testable import HeadgateNetwork

@Suite struct HandoverMessageTests {
    private static let offer = HandoverMessage.Offer(
        sockets: [
            .init(address: "127.0.0.1:8686", isManagers: false),
            .init(address: "unix:/run/grüße.sock", isManagers: true),
        ],
        locks: ["/var/lib/headgate/responses.db.lock"])
    private static let messages: [HandoverMessage] = [
        .offer(offer), .ready, .refused("line one\nline two"), .refused(""), .commit, .serving,
        .offer(.init(sockets: [], locks: [])),
    ]

    @Test func messagesAreReadAsTheyWereWrittenHoweverTheyAreSplit() throws {
        let bytes = try HandoverMessageTests.messages.flatMap { try #require($0.bytes) }
        for split in 0...bytes.count {
            var (parser, read) = (HandoverParser(), [HandoverMessage]())
            for part in [bytes[..<split], bytes[split...]] {
                parser.append(part)
                while let message = try parser.next() { read.append(message) }
            }
            #expect(read == HandoverMessageTests.messages, "split at \(split)")
        }
    }

    @Test func messageIsReadOnceItsLastByteIsThere() throws {
        let bytes = try #require(HandoverMessage.offer(HandoverMessageTests.offer).bytes)
        var parser = HandoverParser()
        for byte in bytes.dropLast() {
            parser.append([byte])
            #expect(try parser.next() == nil)
        }
        parser.append(bytes.suffix(1))
        #expect(try parser.next() == .offer(HandoverMessageTests.offer))
    }

    @Test(
        arguments: [
            [0, 0, 0, 0, 0], [6, 0, 0, 0, 0], [255, 0, 0, 0, 0],
            // The kind does not have these lengths.
            [2, 0, 0, 0, 1], [4, 0, 0, 1, 0], [1, 0, 0, 0, 2], [1, 0, 1, 0, 1], [1, 255, 255, 255, 255],
            [3, 0, 0, 64, 1],
            // Another version, and flags, counts and lengths that do not fit.
            [1, 0, 0, 0, 3, 2, 0, 0], [1, 0, 0, 0, 3, 1, 1, 0], [1, 0, 0, 0, 4, 1, 0, 0, 0],
            [1, 0, 0, 0, 7, 1, 1, 0, 2, 0, 1, 97], [1, 0, 0, 0, 7, 1, 1, 0, 0, 0, 2, 97],
            [1, 0, 0, 0, 6, 1, 1, 0, 0, 0, 0],
            // Text that is not UTF-8, or contains a zero byte.
            [1, 0, 0, 0, 7, 1, 1, 0, 0, 0, 1, 0xFF], [1, 0, 0, 0, 7, 1, 1, 0, 0, 0, 1, 0],
        ] as [[UInt8]])
    func whatNoGatewayWritesIsRefused(bytes: [UInt8]) {
        var parser = HandoverParser()
        parser.append(bytes)
        #expect(throws: HandoverError.foreign) { try parser.next() }
    }

    @Test(arguments: 0..<200 as Range<UInt64>) func changedBytesAreRefusedOrWaitedForAndNeverCrash(seed: UInt64) throws
    {
        var random = SeededGenerator(state: seed)
        var bytes = try HandoverMessageTests.messages.flatMap { try #require($0.bytes) }
        for _ in 0..<3 {
            bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        var parser = HandoverParser()
        parser.append(bytes)
        var count = 0
        while let message = try? parser.next() {
            #expect(message.bytes != nil)
            count += 1
        }
        #expect(count <= HandoverMessageTests.messages.count + 3)
    }

    @Test func longReasonIsCutAndTooLongAnOfferIsNotSent() throws {
        let long = String(repeating: "é", count: HandoverMessage.longestReason)
        var parser = HandoverParser()
        parser.append(try #require(HandoverMessage.refused(long).bytes))
        guard case .refused(let reason)? = try parser.next() else {
            Issue.record("it is not read")
            return
        }
        #expect(long.hasPrefix(reason) && reason.utf8.count == HandoverMessage.longestReason)
        #expect(HandoverMessage.offer(.init(sockets: [], locks: Array(repeating: long, count: 3))).bytes == nil)
        #expect(HandoverMessage.offer(.init(sockets: [], locks: Array(repeating: "/a", count: 256))).bytes == nil)
        #expect(HandoverMessage.offer(.init(sockets: [], locks: [""])).bytes == nil)
    }
}
