internal import HeadgateFaults
internal import HeadgateHTTP
internal import ServerSentEvents

/// A body with a fault: delayed, slow, split, damaged, or ended early.
final class FaultyBody: PulledBody {
    // Used by one task at a time, like every pulled body.
    private nonisolated(unsafe) let pieces: FaultyPieces

    init(_ body: HTTPBody, _ fault: Fault, _ silenceTimeout: Duration?) {
        pieces = FaultyPieces(BodyReader(body), fault, silenceTimeout)
    }

    func next() async throws -> [UInt8]? { try await pieces.next() }
    func cancel() { pieces.reader.cancel() }
    func discardRest() { pieces.reader.discardRest() }
    var declaredLength: Int? { nil }
    func takeWhole() -> [UInt8]? { nil }
}

private final class FaultyPieces {
    let reader: BodyReader
    private let fault: Fault
    private let silenceTimeout: Duration?
    private var damage: EventDamage
    /// Received bytes that have not been returned.
    private var kept: [UInt8] = []
    private var hasBegun = false
    /// Bytes until the next pause of a slow body; nil at its beginning.
    private var share: Int?

    init(_ reader: BodyReader, _ fault: Fault, _ silenceTimeout: Duration?) {
        self.reader = reader
        self.fault = fault
        self.silenceTimeout = silenceTimeout
        damage = EventDamage(
            malformedEvent: fault.malformedEvent, lastEvent: fault.end == nil ? nil : fault.eventsBeforeEnd)
    }

    func next() async throws -> [UInt8]? {
        if !hasBegun {
            hasBegun = true
            if let delay = fault.contentDelay { try await wait(delay) }
        }
        while kept.isEmpty {
            if damage.isOver {
                reader.cancel()
                return try await end()
            }
            guard let chunk = try await reader.next() else { return nil }
            chunk.withUnsafeBytes { damage.pass($0, into: &kept) }
        }
        return try await piece()
    }

    private func piece() async throws -> [UInt8] {
        var size = min(kept.count, fault.pieceSize ?? .max)
        if let drip = fault.drip {
            if share == 0 { try await Task.sleep(for: drip.pause) }
            let rest = share.flatMap { $0 == 0 ? nil : $0 } ?? drip.octets
            size = min(size, rest)
            share = rest - size
        }
        let piece = Array(kept.prefix(size))
        kept.removeFirst(size)
        return piece
    }

    private func end() async throws -> [UInt8]? {
        switch fault.end {
        case .cut: throw TransportError(.truncatedBody, "fault injected")
        case .reset: throw TransportError(.truncatedBody, "fault injected: connection reset")
        case .stall, nil:
            while true { try await wait(silenceTimeout ?? .seconds(3600)) }
        }
    }

    /// - Throws: A timeout, if it expires before the end of the delay.
    private func wait(_ duration: Duration) async throws {
        guard let silenceTimeout, silenceTimeout <= duration else { return try await Task.sleep(for: duration) }
        try await Task.sleep(for: silenceTimeout)
        reader.cancel()
        throw TransportError(.silenceTimeout, "fault injected")
    }
}
