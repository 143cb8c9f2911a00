/// State of one slot of a journal. Only the transitions in ``follows(_:)`` occur.
package enum JournalState: UInt32 {
    case free = 0
    /// The slot is being filled.
    case taken = 1
    /// Its request has begun.
    case begun = 2
    /// The response is complete; the request can continue, for example while the client reads it.
    case prepared = 3
    /// It is over, and is to be written.
    case finished = 4

    func follows(_ state: JournalState) -> Bool {
        switch (state, self) {
        case (.free, .taken), (.taken, .begun), (.begun, .prepared), (.prepared, .prepared), (.begun, .finished),
            (.prepared, .finished), (.finished, .free):
            true
        default: false
        }
    }

    /// Handling of the slot of a killed gateway.
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
