internal import HeadgatePrimitives

/// How far the reader of a response is, shared with what may cancel the response.
final class ResponseReading: Sendable {
    private struct State: Sendable {
        var place = ResponseUpdate.Place()
        var isCut = false
    }

    private let state = Locked(State())

    /// - Returns: whether this may be given to the reader.
    func give(_ update: ResponseUpdate) -> Bool {
        let place = update.place
        return state.withLock { state in
            guard !state.isCut else { return false }
            state.place = place
            return true
        }
    }

    /// From now on nothing is given.
    ///
    /// - Returns: where the reader is.
    func cut() -> ResponseUpdate.Place {
        state.withLock { state in
            state.isCut = true
            return state.place
        }
    }

    /// Bytes of the current round that have been given.
    var givenLength: Int { state.withLock { $0.place.length } }
}

/// One reading of a response. When it ends before the response does, the response is cancelled.
final class ResponseVisit: Sendable {
    private let session: ChatSession
    /// Nil for a response that was refused.
    private let turn: Int?
    private let reading: ResponseReading

    init(of session: ChatSession, turn: Int?, reading: ResponseReading) {
        self.session = session
        self.turn = turn
        self.reading = reading
    }

    deinit { leave() }

    /// Another reading of the same response.
    func again() -> ResponseVisit { ResponseVisit(of: session, turn: turn, reading: reading) }

    /// - Returns: whether this may be given to the reader. The last update ends the turn.
    func give(_ update: ResponseUpdate) -> Bool {
        guard reading.give(update) else { return false }
        guard update.isEnd, let turn else { return true }
        return session.state.withLock { $0.finish(turn) }
    }

    /// The reader hears that the response failed.
    func fail() {
        if let turn { session.state.withLock { $0.fail(turn) } }
    }

    func leave() {
        if let turn { session.interrupt(turn) }
    }
}
