internal import HeadgateHTTP
internal import JSONBytes
internal import Synchronization

/// Who may reach a response that an upstream keeps, to read, continue, cancel or delete it: the client key that made it, where the
/// gateway saw it made, and keys with `admin: true`.
struct StoredResponseAccess: Sendable {
    let state: GatewayState
    /// Whether every key may, whoever made it: there is but one, or the configuration says so.
    let isOpen: Bool

    /// - Parameter literal: the id of a response as it stands in JSON, with its quotes.
    func note(_ literal: UnsafeRawBufferPointer, madeBy maker: KeyDigest) {
        var cursor = JSONCursor(literal)
        guard let id = try? cursor.string() else { return }
        let response = KeyDigest(of: cursor.decoded(id).utf8)
        state.responseMakers.withLock { $0.note(response, madeBy: maker) }
    }

    func allows(_ id: String, _ metadata: ServerRequestMetadata) -> Bool {
        if isOpen || metadata.caller.isAdmin { return true }
        let (response, maker) = (KeyDigest(of: id.utf8), StoredResponseAccess.maker(metadata))
        return state.responseMakers.withLock { $0.isMaker(maker, of: response) }
    }

    /// Refuses a request that goes on from what another key made. The gateway sees no conversation made, so that those are for admin keys.
    func check(_ envelope: RequestEnvelope, _ metadata: ServerRequestMetadata) throws(GatewayError) {
        if isOpen || metadata.caller.isAdmin { return }
        if let id = envelope.previousResponseID, !allows(id, metadata) {
            throw .invalidRequest(
                404, "There is no previous response with that id. " + StoredResponseAccess.rule,
                code: "previous_response_not_found", parameter: "previous_response_id")
        }
        if envelope.namesConversation {
            throw .invalidRequest(
                404,
                "There is no conversation with that id. Keys with 'admin: true' may name any, and 'stored_responses: any' in the "
                    + "gateway's configuration lets every key.",
                code: "conversation_not_found", parameter: "conversation")
        }
    }

    /// The same for a response of another key and for one that nobody knows.
    static let unknown = GatewayError.invalidRequest(
        404, "There is no response with that id. " + rule, code: "response_not_found", parameter: "response_id")

    private static let rule =
        "A key reaches those that it has made since the gateway started; keys with 'admin: true' reach all, and "
        + "'stored_responses: any' in the gateway's configuration lets every key."

    /// By the name of the key, which outlives a reload; apart from the names of those who are asked for no key.
    static func maker(_ metadata: ServerRequestMetadata) -> KeyDigest {
        if case .byKey = metadata.connection.admission { return KeyDigest(of: metadata.caller.name.utf8) }
        return KeyDigest(of: [0 as UInt8] + Array(metadata.caller.name.utf8))
    }
}
