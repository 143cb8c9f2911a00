/// The calls of tools in a conversation: the provider wants each answered, and no answer without a call.
struct ResponsesCalls {
    struct Open {
        /// The client's id, which a later call may have again.
        let id: String
        let written: String
        let isCustom: Bool
    }

    /// Calls that no result will come for, counted from 0.
    private var unanswered: Set<Int> = []
    private var count = 0
    private var open: [Open] = []
    private var ids: RestrictedNames

    init(of messages: [Message], longestID: Int) {
        ids = RestrictedNames(substitute: "call", maximumLength: longestID)
        var open: [(id: String, number: Int, message: Int)] = []
        var count = 0
        for (number, message) in messages.enumerated() {
            for part in message.parts {
                if case .toolCall(let call) = part.content {
                    // A later turn that uses an id again means the new call by it.
                    open.removeAll { $0.id == call.id && $0.message < number }
                    open.append((call.id, count, number))
                    unanswered.insert(count)
                    count += 1
                } else if case .toolResult(let result) = part.content,
                    let index = open.firstIndex(where: { $0.id == result.callID })
                {
                    unanswered.remove(open.remove(at: index).number)
                }
            }
        }
    }

    /// - Returns: the call as it is to be written, and whether a result of it will come.
    mutating func begin(_ call: ToolCall) -> (call: Open, isAnswered: Bool) {
        let begun = Open(id: call.id, written: ids.next(for: call.id), isCustom: call.isCustom)
        let isAnswered = !unanswered.contains(count)
        count += 1
        if isAnswered { open.append(begun) }
        return (begun, isAnswered)
    }

    /// - Returns: the call that a result is of; nil if there is none, or it has its result.
    mutating func answer(_ id: String) -> Open? {
        guard let index = open.firstIndex(where: { $0.id == id }) else { return nil }
        return open.remove(at: index)
    }
}
