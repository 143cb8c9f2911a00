internal import HeadgateHTTP
internal import JSONBytes

/// Who may reach a response that an upstream keeps, to read, continue, cancel or delete it: the client key, or the user of a
/// socket, that made it, where the gateway saw it made, keys with `admin: true`, and the gateway's owner.
struct StoredResponseAccess: Sendable {
    let state: GatewayState
    /// Whether everybody may, whoever made it: there is but one caller, or the configuration says so.
    let isOpen: Bool

    /// - Parameter literal: the id of a response as it stands in JSON, with its quotes.
    func note(_ literal: UnsafeRawBufferPointer, madeBy maker: KeyDigest) {
        var cursor = JSONCursor(literal)
        guard let id = try? cursor.string() else { return }
        let response = KeyDigest(of: cursor.decoded(id).utf8)
        state.responseMakers { $0.note(response, madeBy: maker) }
    }

    func allows(_ id: String, _ metadata: ServerRequestMetadata) -> Bool {
        if reachesAll(metadata) { return true }
        let (response, maker) = (KeyDigest(of: id.utf8), StoredResponseAccess.maker(metadata))
        var isMaker = false
        state.responseMakers { isMaker = $0.isMaker(maker, of: response) }
        return isMaker
    }

    private func reachesAll(_ metadata: ServerRequestMetadata) -> Bool {
        if isOpen { return true }
        // Without keys the users of a socket are admins, and still not the same person.
        if case .admitted(_, let isOwner) = metadata.connection.admission { return isOwner }
        return metadata.caller.isAdmin
    }

    /// Refuses a request that goes on from what another key made. The gateway sees no conversation made, so that those are for admin keys.
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
                "There is no conversation with that id. Keys with 'admin: true' may name any, and 'stored_responses: any' in the "
                    + "gateway's configuration lets every key.",
                code: "conversation_not_found", parameter: "conversation", cause: .unknownResponse)
        }
    }

    /// The same for a response of another key and for one that nobody knows.
    static let unknown = GatewayError.invalidRequest(
        404, "There is no response with that id. " + rule, code: "response_not_found", parameter: "response_id",
        cause: .unknownResponse)

    private static let rule =
        "A key reaches those that it has made since the gateway started; keys with 'admin: true' reach all, and "
        + "'stored_responses: any' in the gateway's configuration lets every key."

    /// By the digest of the key, which outlives a reload, and not by its name, which another key may have later. Who is asked for no
    /// key is known by name.
    static func maker(_ metadata: ServerRequestMetadata) -> KeyDigest {
        (metadata.caller as? ClientKey)?.digest ?? KeyDigest(of: metadata.caller.name.utf8)
    }
}
