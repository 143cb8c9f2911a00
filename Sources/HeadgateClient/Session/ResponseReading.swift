internal import HeadgatePrimitives

/// Position of a response's reader, shared with the code that can cancel the response.
final class ResponseReading: Sendable {
    private struct State: Sendable {
        var place = ResponseUpdate.Place()
        var isCut = false
    }

    private let state = Locked(State())

    /// - Returns: Whether the update may be passed to the reader.
    func give(_ update: ResponseUpdate) -> Bool {
        let place = update.place
        return state.withLock { state in
            guard !state.isCut else { return false }
            state.place = place
            return true
        }
    }

    /// Stops passing updates to the reader.
    ///
    /// - Returns: The position of the reader.
    func cut() -> ResponseUpdate.Place {
        state.withLock { state in
            state.isCut = true
            return state.place
        }
    }

    /// Bytes of the current round that the reader has received.
    var givenLength: Int { state.withLock { $0.place.length } }
}

/// One reading of a response. If it ends before the response, the response is canceled.
final class ResponseVisit: Sendable {
    private let session: ChatSession
    /// Id of the turn; nil for a response that was rejected.
    private let turn: Int?
    private let reading: ResponseReading

    init(of session: ChatSession, turn: Int?, reading: ResponseReading) {
        self.session = session
        self.turn = turn
        self.reading = reading
    }

    deinit { leave() }

    /// Creates another reading of the same response.
    func again() -> ResponseVisit { ResponseVisit(of: session, turn: turn, reading: reading) }

    /// - Returns: Whether the update may be passed to the reader. The last update ends the turn.
    func give(_ update: ResponseUpdate) -> Bool {
        guard reading.give(update) else { return false }
        guard update.isEnd, let turn else { return true }
        return session.state.withLock { $0.finish(turn) }
    }

    /// Ends the turn after its reader has received the response's error.
    func fail() {
        if let turn { session.state.withLock { $0.fail(turn) } }
    }

    func leave() {
        if let turn { session.interrupt(turn) }
    }
}
