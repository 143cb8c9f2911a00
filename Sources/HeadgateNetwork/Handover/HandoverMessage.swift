/// Message between a gateway and its successor, over a socket pair that the gateway created.
///
/// A message has one byte for its kind, four for the length of the rest (big-endian), and the rest. The order is:
/// ``offer(_:)``, ``ready`` or ``refused(_:)``, ``commit``, ``serving``.
package enum HandoverMessage: Equatable, Sendable {
    /// Sockets and locks of the gateway. The descriptors come with the message.
    case offer(Offer)
    /// The successor can serve: its configuration is checked.
    case ready
    /// The successor cannot serve, for this reason.
    case refused(String)
    /// The gateway has stopped accepting connections and closed its stores. The successor can open them.
    case commit
    /// The successor accepts connections.
    case serving

    /// Sockets and locks that the descriptors of a message belong to, in the order of the descriptors.
    package struct Offer: Equatable, Sendable {
        package struct Socket: Equatable, Sendable {
            /// Configured address.
            package var address: String
            /// Whether a service manager opened the socket.
            package var isManagers: Bool

            package init(address: String, isManagers: Bool) {
                self.address = address
                self.isManagers = isManagers
            }
        }

        package var sockets: [Socket]
        /// Paths of the locks that the gateway holds.
        package var locks: [String]

        package init(sockets: [Socket], locks: [String]) {
            self.sockets = sockets
            self.locks = locks
        }

        package var descriptorCount: Int { sockets.count + locks.count }
    }

    /// Version of the messages. A successor refuses every other one.
    static let version: UInt8 = 1
    static let headSize = 5
    /// Maximum bytes of a message after its head.
    static let largest = 64 * 1024
    /// Maximum bytes of a reason.
    static let longestReason = 16 * 1024

    private enum Kind: UInt8 {
        case offer = 1
        case ready = 2
        case refused = 3
        case commit = 4
        case serving = 5
    }

    private var kind: Kind {
        switch self {
        case .offer: .offer
        case .ready: .ready
        case .refused: .refused
        case .commit: .commit
        case .serving: .serving
        }
    }

    /// Bytes of the message; nil for an offer of too many or too long texts.
    package var bytes: [UInt8]? {
        var body: [UInt8] = []
        switch self {
        case .offer(let offer):
            guard offer.sockets.count <= UInt8.max, offer.locks.count <= UInt8.max else { return nil }
            body = [HandoverMessage.version, UInt8(offer.sockets.count), UInt8(offer.locks.count)]
            let texts = offer.sockets.map(\.address) + offer.locks
            guard texts.allSatisfy({ 1...Int(UInt16.max) ~= $0.utf8.count }) else { return nil }
            body += offer.sockets.map { $0.isManagers ? 1 : 0 }
            for text in texts {
                body += [UInt8(text.utf8.count >> 8), UInt8(text.utf8.count & 0xFF)]
                body += text.utf8
            }
        case .refused(let reason): body = Array(reason.utf8.prefix(HandoverMessage.longestReason))
        case .ready, .commit, .serving: break
        }
        guard body.count <= HandoverMessage.largest else { return nil }
        let length = UInt32(body.count)
        return [kind.rawValue] + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) } + body
    }

    /// Returns the length of the rest from the head of a message; nil for an invalid head.
    static func restSize(_ head: ArraySlice<UInt8>) -> Int? {
        guard let first = head.first, let kind = Kind(rawValue: first) else { return nil }
        let length = head.dropFirst().reduce(0) { $0 << 8 | Int($1) }
        let range =
            switch kind {
            case .offer: 3...largest
            case .refused: 0...longestReason
            case .ready, .commit, .serving: 0...0
            }
        return range.contains(length) ? length : nil
    }

    /// Returns nil for an invalid message.
    init?(kind: UInt8, rest: ArraySlice<UInt8>) {
        switch Kind(rawValue: kind) {
        case .offer:
            guard let offer = Offer(rest) else { return nil }
            self = .offer(offer)
        case .ready: self = .ready
        // A reason can be cut in the middle of a character.
        case .refused: self = .refused(String(decoding: rest, as: UTF8.self))
        case .commit: self = .commit
        case .serving: self = .serving
        case nil: return nil
        }
    }
}

extension HandoverMessage.Offer {
    fileprivate init?(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        func byte() -> UInt8? { rest.popFirst() }
        guard byte() == HandoverMessage.version, let sockets = byte(), let locks = byte() else { return nil }
        var marks: [Bool] = []
        for _ in 0..<sockets {
            guard let mark = byte(), mark <= 1 else { return nil }
            marks.append(mark == 1)
        }
        var texts: [String] = []
        for _ in 0..<Int(sockets) + Int(locks) {
            guard let high = byte(), let low = byte() else { return nil }
            let count = Int(high) << 8 | Int(low)
            guard count > 0, count <= rest.count, let text = String(validating: rest.prefix(count), as: UTF8.self),
                !text.utf8.contains(0)
            else { return nil }
            texts.append(text)
            rest = rest.dropFirst(count)
        }
        guard rest.isEmpty else { return nil }
        self.init(
            sockets: zip(texts, marks).map { Socket(address: $0, isManagers: $1) },
            locks: Array(texts.dropFirst(marks.count)))
    }
}

/// Reads messages from bytes in any fragmentation.
package struct HandoverParser: Sendable {
    private var bytes: [UInt8] = []

    package init() {}

    package mutating func append(_ more: some Sequence<UInt8>) { bytes += more }

    /// - Returns: the next message; nil if it is incomplete.
    /// - Throws: ``HandoverError`` for invalid bytes.
    package mutating func next() throws(HandoverError) -> HandoverMessage? {
        guard bytes.count >= HandoverMessage.headSize else { return nil }
        guard let size = HandoverMessage.restSize(bytes.prefix(HandoverMessage.headSize)) else { throw .foreign }
        let end = HandoverMessage.headSize + size
        guard bytes.count >= end else { return nil }
        guard let message = HandoverMessage(kind: bytes[0], rest: bytes[HandoverMessage.headSize..<end]) else {
            throw .foreign
        }
        bytes.removeFirst(end)
        return message
    }
}

/// Reason for the end of a handover.
package enum HandoverError: Error, Equatable, CustomStringConvertible {
    /// The other process has ended.
    case ended
    /// The other process has not responded in time.
    case silent
    /// The other process has sent an invalid or unexpected message.
    case foreign
    /// An errno.
    case system(Int32)

    package var description: String {
        switch self {
        case .ended: "the other process has ended"
        case .silent: "the other process did not respond in time"
        case .foreign: "the other process sent a message that this version does not understand"
        case .system(let error): systemErrorText(error)
        }
    }
}
