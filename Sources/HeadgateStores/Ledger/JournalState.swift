/// State of one slot of a journal. Only the transitions in ``follows(_:)`` occur.
package enum JournalState: UInt32 {
    case free = 0
    /// The slot is being filled.
    case taken = 1
    /// The request has begun.
    case begun = 2
    /// The response is complete, but the request is not over: the client might still read it.
    case prepared = 3
    /// The request is over and not written yet.
    case finished = 4

    func follows(_ state: JournalState) -> Bool {
        switch (state, self) {
        case (.free, .taken), (.taken, .begun), (.begun, .prepared), (.prepared, .prepared), (.begun, .finished),
            (.prepared, .finished), (.finished, .free):
            true
        default: false
        }
    }

    /// Use of a killed gateway's slot.
    enum Remains {
        case nothing
        case unfinished
        case whole
    }

    var remains: Remains {
        switch self {
        case .free, .taken: .nothing
        case .begun: .unfinished
        case .prepared, .finished: .whole
        }
    }
}
