/// One connection of a case: the sent bytes, and the responses in the order of their requests. Not thread-safe.
final class HTTPVectorExchange {
    enum Next {
        case answer(WireResponse)
        case closed
        case silence
    }

    private(set) var interimCount = 0
    private(set) var finalCount = 0
    /// The input, even if the server ended the connection before reading all of it.
    private(set) var sent: [UInt8] = []
    private let connection: RawConnection
    private let waits: HTTPVectorWaits
    /// Offset of the first unread byte.
    private var position = 0

    init(port: UInt16, waits: HTTPVectorWaits) throws {
        connection = try RawConnection(port: port)
        self.waits = waits
    }

    var received: [UInt8] { connection.received }
    var isEnded: Bool { connection.end != nil }
    var hasUnread: Bool { position < received.count }
    var unread: ArraySlice<UInt8> { received[position...] }

    /// Sends the writes of `way` until the server ends the connection. Returns false if the server stopped reading.
    func send(_ bytes: [UInt8], way: HTTPVectorWay) -> Bool {
        sent += bytes
        for (index, piece) in way.pieces(of: bytes).enumerated() {
            guard connection.send(bytes[piece]) else { return false }
            if isEnded { return true }
            if index < way.pausedPieces { connection.pause(for: way.pause) }
        }
        return true
    }

    func finishSending() {
        connection.finishSending()
    }

    /// Reads for all of `duration`, or until the connection ends.
    func read(for duration: Duration) {
        let deadline = ContinuousClock.now + duration
        while !isEnded, connection.read(until: deadline) {}
    }

    /// Reads until the connection ends or there are unread bytes. Returns false if neither happened within `duration`.
    func readAnything(within duration: Duration) -> Bool {
        let deadline = ContinuousClock.now + duration
        while !isEnded, !hasUnread, connection.read(until: deadline) {}
        return isEnded || hasUnread
    }

    /// Returns true as soon as the head of an interim or final response is unread, and false after `duration`.
    func readHead(within duration: Duration) -> Bool {
        let deadline = ContinuousClock.now + duration
        while true {
            do {
                if try WireResponseHead.read(received, from: position) != nil { return true }
            } catch {
                return false
            }
            guard !isEnded, connection.read(until: deadline) else { return false }
        }
    }

    /// Returns the next final response, the end of the connection, or, if `allowsSilence`, silence. A malformed,
    /// incomplete or missing response is an error.
    func next(answersHead: Bool = false, allowsSilence: Bool = false) throws(WireFailure) -> Next {
        let start = ContinuousClock.now
        while true {
            if let response = try nextUnread(answersHead: answersHead) {
                if !response.head.isInterim { return .answer(response) }
                continue
            }
            if isEnded {
                if !hasUnread { return .closed }
                throw WireFailure("the connection ended inside an answer")
            }
            let mayBeSilent = allowsSilence && !hasUnread
            if connection.read(until: start + (mayBeSilent ? waits.wait : waits.answer)) { continue }
            if mayBeSilent { return .silence }
            throw WireFailure(hasUnread ? "an unfinished answer" : "no answer within \(waits.answer)")
        }
    }

    /// Counts the final heads in the unread bytes, up to the first bytes that are not a response.
    func countUnread() {
        while (try? nextUnread(answersHead: false)) != nil {}
    }

    private func nextUnread(answersHead: Bool) throws(WireFailure) -> WireResponse? {
        guard hasUnread,
            let (response, end) = try WireResponse.read(
                received, from: position, answersHead: answersHead, end: connection.end)
        else { return nil }
        position = end
        if response.head.isInterim { interimCount += 1 } else { finalCount += 1 }
        return response
    }
}
