internal import JSONBytes

/// State at the upstream that a request of Anthropic's Messages API continues. Few requests have such a state.
package final class MessageState: Sendable {
    /// Whether the upstream stores the conversation under the id of its response.
    let keepsThread: Bool
    /// Message of the thread that the request continues.
    let previousMessageID: String?
    /// Token of a refused message that makes a retry cheaper.
    let creditToken: String?

    init(keepsThread: Bool, previousMessageID: String?, creditToken: String?) {
        self.keepsThread = keepsThread
        self.previousMessageID = previousMessageID
        self.creditToken = creditToken
    }
}

extension RequestEnvelope.Reader {
    private static let threadMembers = MemberNames(["previous_message_id"])

    /// Reads `thread`.
    mutating func readThread(_ cursor: inout JSONCursor) throws(JSONError) {
        guard case .object = try cursor.kind() else {
            try cursor.skipValue()
            return
        }
        var id: String?
        try cursor.beginObject()
        while let key = try cursor.nextKey() {
            guard cursor.equals(key, "previous_message_id") else {
                try Self.threadMembers.refuseLookalike(key, in: cursor)
                try cursor.skipValue()
                continue
            }
            guard id == nil else { throw cursor.duplicateKey(key) }
            id = try readText(&cursor, "thread.previous_message_id")
        }
        state = MessageState(keepsThread: true, previousMessageID: id, creditToken: state?.creditToken)
    }

    /// Reads `fallback_credit_token`.
    mutating func readCreditToken(_ cursor: inout JSONCursor) throws(JSONError) {
        guard let token = try readText(&cursor, "fallback_credit_token") else { return }
        state = MessageState(
            keepsThread: state?.keepsThread ?? false, previousMessageID: state?.previousMessageID, creditToken: token)
    }

    /// Reads a string; nil for null, and for any other value, which is refused.
    private mutating func readText(_ cursor: inout JSONCursor, _ member: String) throws(JSONError) -> String? {
        switch try cursor.kind() {
        case .string: return cursor.decoded(try cursor.string())
        case .null: break
        default: complain(member, "The member '\(member)' must be a string.")
        }
        try cursor.skipValue()
        return nil
    }
}
