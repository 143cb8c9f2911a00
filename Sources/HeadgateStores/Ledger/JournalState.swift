/// What is in one slot of a journal. Only the transitions that ``follows(_:)`` names happen.
package enum JournalState: UInt32 {
    case free = 0
    /// Somebody is about to fill it.
    case taken = 1
    /// Its request has begun.
    case begun = 2
    /// Its response is complete; the request may go on, as when the client has not read it yet.
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

    /// What becomes of the slot of a gateway that was killed.
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
