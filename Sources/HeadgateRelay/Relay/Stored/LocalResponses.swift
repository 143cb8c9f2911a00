internal import HeadgateHTTP

/// How the gateway keeps responses itself, for upstreams without a Responses API of their own, and conversations for
/// all.
package struct LocalResponses: Sendable {
    package let store: any ResponseStore & ConversationStore
    /// Seconds.
    let lifetime: Int64
    let chains: ResponseChain.Limits
    let conversations: ConversationPage.Limits

    private static let mostTurns = 1_000
    private static let mostItems = 10_000

    /// - Parameters:
    ///   - lifetime: from when a response is made, or last continued.
    ///   - largestRequest: octets of a request, with all that it continues.
    package init(_ store: any ResponseStore & ConversationStore, lifetime: Duration, largestRequest: Int) {
        self.store = store
        self.lifetime = lifetime.components.seconds
        chains = ResponseChain.Limits(turns: LocalResponses.mostTurns, octets: largestRequest)
        conversations = ConversationPage.Limits(items: LocalResponses.mostItems, octets: largestRequest)
    }

    // MARK: Ids

    /// What tells their ids from those of upstreams, and of responses that are not kept.
    private static let mark = "hg"
    private static let prefix = "resp_" + mark
    private static let conversationPrefix = "conv_" + mark

    static func isID(_ id: String) -> Bool { isID(id, after: prefix) }

    static func isConversationID(_ id: String) -> Bool { isID(id, after: conversationPrefix) }

    private static func isID(_ id: String, after prefix: String) -> Bool {
        id.hasPrefix(prefix) && id.utf8.count == prefix.utf8.count + 32
            && id.utf8.dropFirst(prefix.utf8.count).allSatisfy { $0 &- 0x30 < 10 || $0 &- 0x61 < 6 }
    }

    /// A new id without `resp_`, or what else it begins with. A client may choose the id of its request; this one it
    /// cannot.
    static func makeID() -> String {
        RequestIDGenerator.text(.random(in: .min ... .max), .random(in: .min ... .max)).reduce(into: mark) {
            if $1 != "-" { $0.append($1) }
        }
    }
}
