package import HeadgateHTTP
package import HeadgatePrimitives
internal import JSONBytes

/// Access control for stored responses.
///
/// The client key or Unix socket user that created a response through this gateway may read, continue, cancel and
/// delete it. So may keys with `admin: true` and the gateway's owner.
package struct StoredResponseAccess: Sendable {
    let makers: Locked<ResponseMakers>
    /// Whether every caller has access, because there is only one or the configuration allows it.
    let isOpen: Bool

    package init(makers: Locked<ResponseMakers>, isOpen: Bool) {
        self.makers = makers
        self.isOpen = isOpen
    }

    /// Records the maker of a response and the upstream that stores it.
    ///
    /// - Parameter literal: id of the response as a JSON string, with its quotes.
    func note(_ literal: UnsafeRawBufferPointer, madeBy maker: KeyDigest, at upstream: UpstreamMark) {
        var cursor = JSONCursor(literal)
        guard let id = try? cursor.string() else { return }
        let response = KeyDigest(of: cursor.decoded(id).utf8)
        makers.withLock { $0.note(response, madeBy: maker, at: upstream) }
    }

    func allows(_ id: String, _ metadata: ServerRequestMetadata) -> Bool {
        if reachesAll(metadata) { return true }
        let (response, maker) = (KeyDigest(of: id.utf8), StoredResponseAccess.maker(metadata))
        return makers.withLock { $0.isMaker(maker, of: response) }
    }

    /// Returns the upstream that stores the response, if it was created through this gateway.
    func upstream(of id: String) -> UpstreamMark? {
        let response = KeyDigest(of: id.utf8)
        return makers.withLock { $0.upstream(of: response) }
    }

    /// Returns the owner whose stored responses the caller can access; nil for all owners.
    func owner(_ metadata: ServerRequestMetadata) -> [UInt8]? {
        reachesAll(metadata) ? nil : StoredResponseAccess.maker(metadata).bytes
    }

    private func reachesAll(_ metadata: ServerRequestMetadata) -> Bool {
        if isOpen { return true }
        // Without keys, every user of a socket is an admin but still a separate caller.
        if case .admitted(_, let isOwner) = metadata.connection.admission { return isOwner }
        return metadata.caller.isAdmin
    }

    /// Rejects a request that continues a response of another key.
    ///
    /// The creators of conversations are not known, so only admin keys may name a conversation.
    func check(_ envelope: RequestEnvelope, _ metadata: ServerRequestMetadata) throws(GatewayError) {
        if reachesAll(metadata) { return }
        if let state = envelope.state { try check(state, metadata) }
        if let id = envelope.previousResponseID, !allows(id, metadata) {
            throw .invalidRequest(
                404, "There is no previous response with that id. " + StoredResponseAccess.rule,
                code: "previous_response_not_found", parameter: "previous_response_id", cause: .unknownResponse)
        }
        if envelope.namesConversation {
            throw .invalidRequest(
                404,
                "There is no conversation with that id. Keys with 'admin: true' may name any, and "
                    + "'stored_responses: any' in the gateway's configuration lets every key.",
                code: "conversation_not_found", parameter: "conversation", cause: .unknownResponse)
        }
    }

    private func check(_ state: MessageState, _ metadata: ServerRequestMetadata) throws(GatewayError) {
        if let id = state.previousMessageID, !allows(id, metadata) {
            throw .invalidRequest(
                404, "There is no thread with that message. " + StoredResponseAccess.rule,
                code: "previous_message_not_found", parameter: "thread.previous_message_id", cause: .unknownResponse)
        }
        if let token = state.creditToken, !allows(token, metadata) {
            throw .invalidRequest(
                404, "There is no refused message with that token. " + StoredResponseAccess.rule,
                code: "fallback_credit_not_found", parameter: "fallback_credit_token", cause: .unknownResponse)
        }
    }

    /// Error for a response of another key as well as for an unknown one.
    static let unknown = GatewayError.invalidRequest(
        404, "There is no response with that id. " + rule, code: "response_not_found", parameter: "response_id",
        cause: .unknownResponse)

    private static let rule =
        "A key reaches those that it has made since the gateway started; keys with 'admin: true' reach all, and "
        + "'stored_responses: any' in the gateway's configuration lets every key."

    /// Returns whether ``maker(_:)`` identifies the same caller at every gateway.
    ///
    /// Without a key it does not, because every machine has a user with the same number.
    package static func isKnownElsewhere(_ metadata: ServerRequestMetadata) -> Bool { metadata.caller.digest != nil }

    /// Returns the digest of the caller's key, because another key can have its name after a reload.
    ///
    /// Callers without a key are identified by the digest of their name.
    package static func maker(_ metadata: ServerRequestMetadata) -> KeyDigest {
        metadata.caller.digest ?? KeyDigest(of: metadata.caller.name.utf8)
    }
}
