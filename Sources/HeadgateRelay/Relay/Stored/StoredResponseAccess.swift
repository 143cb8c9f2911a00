package import HeadgateHTTP
package import HeadgatePrimitives
internal import JSONBytes

/// Who may read, continue, cancel or delete a stored response: the client key, or the user of a Unix socket, that
/// created it through this gateway, keys with `admin: true`, and the gateway's owner.
package struct StoredResponseAccess: Sendable {
    let makers: Locked<ResponseMakers>
    /// Whether every caller may: there is only one, or the configuration says so.
    let isOpen: Bool

    package init(makers: Locked<ResponseMakers>, isOpen: Bool) {
        self.makers = makers
        self.isOpen = isOpen
    }

    /// - Parameter literal: the id of a response as it stands in JSON, with its quotes.
    package func note(_ literal: UnsafeRawBufferPointer, madeBy maker: KeyDigest, at upstream: UpstreamMark) {
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

    /// The upstream that has the response, where it was made through this gateway.
    package func upstream(of id: String) -> UpstreamMark? {
        let response = KeyDigest(of: id.utf8)
        return makers.withLock { $0.upstream(of: response) }
    }

    /// Whose kept responses the caller reaches; nil for everybody's.
    func owner(_ metadata: ServerRequestMetadata) -> [UInt8]? {
        reachesAll(metadata) ? nil : StoredResponseAccess.maker(metadata).bytes
    }

    private func reachesAll(_ metadata: ServerRequestMetadata) -> Bool {
        if isOpen { return true }
        // Without keys all users of a socket are admins, but still different callers.
        if case .admitted(_, let isOwner) = metadata.connection.admission { return isOwner }
        return metadata.caller.isAdmin
    }

    /// Refuses a request that continues a response of another key. Who created a conversation is not known, so those
    /// are for admin keys.
    func check(_ envelope: RequestEnvelope, _ metadata: ServerRequestMetadata) throws(GatewayError) {
        if reachesAll(metadata) { return }
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

    /// The same error for a response of another key and an unknown one.
    static let unknown = GatewayError.invalidRequest(
        404, "There is no response with that id. " + rule, code: "response_not_found", parameter: "response_id",
        cause: .unknownResponse)

    private static let rule =
        "A key reaches those that it has made since the gateway started; keys with 'admin: true' reach all, and "
        + "'stored_responses: any' in the gateway's configuration lets every key."

    /// Whether ``maker(_:)`` is the same caller at every gateway. Without a key it is not: all machines have a user
    /// with the same number.
    package static func isKnownElsewhere(_ metadata: ServerRequestMetadata) -> Bool { metadata.caller.digest != nil }

    /// By the digest of the key: another key may have its name after a reload. Callers without a key are identified by
    /// name.
    package static func maker(_ metadata: ServerRequestMetadata) -> KeyDigest {
        metadata.caller.digest ?? KeyDigest(of: metadata.caller.name.utf8)
    }
}
