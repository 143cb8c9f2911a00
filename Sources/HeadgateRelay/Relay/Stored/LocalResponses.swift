internal import HeadgateHTTP

/// Storage by the gateway itself: of responses for upstreams without a Responses API, and of conversations for all
/// upstreams.
package struct LocalResponses: Sendable {
    package let store: any ResponseStore & ConversationStore
    /// Lifetime in seconds.
    let lifetime: Int64
    let chains: ResponseChain.Limits
    let conversations: ConversationPage.Limits

    private static let mostTurns = 1_000
    private static let mostItems = 10_000

    /// - Parameters:
    ///   - lifetime: time for which a response is stored after it was created or last continued.
    ///   - largestRequest: maximum bytes of a request, including its history.
    package init(_ store: any ResponseStore & ConversationStore, lifetime: Duration, largestRequest: Int) {
        self.store = store
        self.lifetime = lifetime.components.seconds
        chains = ResponseChain.Limits(turns: LocalResponses.mostTurns, octets: largestRequest)
        conversations = ConversationPage.Limits(items: LocalResponses.mostItems, octets: largestRequest)
    }

    // MARK: Ids

    /// Mark that distinguishes ids of the gateway from ids of upstreams and of responses that are not stored.
    private static let mark = "hg"
    private static let prefix = "resp_" + mark
    private static let conversationPrefix = "conv_" + mark

    static func isID(_ id: String) -> Bool { isID(id, after: prefix) }

    static func isConversationID(_ id: String) -> Bool { isID(id, after: conversationPrefix) }

    private static func isID(_ id: String, after prefix: String) -> Bool {
        id.hasPrefix(prefix) && id.utf8.count == prefix.utf8.count + 32
            && id.utf8.dropFirst(prefix.utf8.count).allSatisfy { $0 &- 0x30 < 10 || $0 &- 0x61 < 6 }
    }

    /// Makes a new id without its prefix, such as `resp_`.
    ///
    /// A client can choose the id of its request, but not this one.
    static func makeID() -> String {
        RequestIDGenerator.text(.random(in: .min ... .max), .random(in: .min ... .max)).reduce(into: mark) {
            if $1 != "-" { $0.append($1) }
        }
    }
}
