/// The tool calls of a conversation. The provider requires a result for every call, and a call for every result.
struct ResponsesCalls {
    struct Open {
        /// The client's id, which a later call can have again.
        let id: String
        let written: String
        let isCustom: Bool
    }

    /// Numbers, from 0, of the calls that never get a result.
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
                    // If a later turn reuses an id, the id means the new call.
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

    /// - Returns: The call with the id to write, and whether a result follows.
    mutating func begin(_ call: ToolCall) -> (call: Open, isAnswered: Bool) {
        let begun = Open(id: call.id, written: ids.next(for: call.id), isCustom: call.isCustom)
        let isAnswered = !unanswered.contains(count)
        count += 1
        if isAnswered { open.append(begun) }
        return (begun, isAnswered)
    }

    /// - Returns: The call that a result belongs to; nil if there is none, or it has its result already.
    mutating func answer(_ id: String) -> Open? {
        guard let index = open.firstIndex(where: { $0.id == id }) else { return nil }
        return open.remove(at: index)
    }
}
