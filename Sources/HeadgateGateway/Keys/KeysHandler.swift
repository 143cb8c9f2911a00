internal import HTTPTypes
internal import HeadgateConfiguration
internal import HeadgateContract
internal import HeadgateDialects
internal import HeadgateHTTP

/// Managed keys: `/v1/admin/keys` and what is below it.
struct KeysHandler: Sendable {
    let snapshot: GatewaySnapshot
    /// Nanoseconds since 1970.
    let realtime: @Sendable () -> Int64

    static let operations = [
        OperationTable.listKeys.id, OperationTable.createKey.id, OperationTable.retrieveKey.id,
        OperationTable.revokeKey.id, OperationTable.rotateKey.id,
    ]

    /// Of a page.
    private static let mostKeys = 1000

    func handle(
        _ operationID: String, _ request: RequestHead, _ body: HTTPBody?, _ metadata: ServerRequestMetadata,
        completion: @escaping RequestHandler.Completion
    ) {
        do throws(GatewayError) {
            try admit(metadata, toChange: request.method != .get && request.method != .head)
            let call = KeysCall(metadata, snapshot, at: realtime() / 1_000_000_000, completion: completion)
            let name = QueryParameters.decoded(metadata.pathParameters["name"] ?? "")
            switch operationID {
            case OperationTable.listKeys.id:
                let (after, limit) = try page(request)
                call.list(after: after, limit: limit)
            case OperationTable.createKey.id:
                let (groups, hasLedger) = (snapshot.groupNames, snapshot.ledger != nil)
                let now = realtime() / 1_000_000_000
                call.read(body) { object throws(GatewayError) in
                    try KeyRequest.addition(object, groups: groups, hasLedger: hasLedger, at: now)
                } then: {
                    call.add($0.name, $0.settings)
                }
            case OperationTable.rotateKey.id:
                call.read(body) { object throws(GatewayError) in
                    try KeyRequest.grace(object)
                } then: {
                    call.rotate(name, until: KeyGrace.end(of: $0, at: realtime()))
                }
            case OperationTable.revokeKey.id: call.revoke(name)
            default: call.show(name)
            }
        } catch {
            completion(.failure(error))
        }
    }

    /// On a gateway without keys everybody is an admin, and may look. The first key would lock out all the others: only
    /// the gateway's own user makes it, on a socket, or by the command.
    private func admit(_ metadata: ServerRequestMetadata, toChange: Bool) throws(GatewayError) {
        guard metadata.caller.isAdmin else { throw .keysNotForThisKey }
        guard toChange, snapshot.keys.isKeyless else { return }
        if case .admitted(_, isOwner: true) = metadata.connection.admission { return }
        throw .keysOfKeylessGateway
    }

    private func page(_ request: RequestHead) throws(GatewayError) -> (after: String, limit: Int) {
        let query = QueryParameters(request.path)
        guard let limit = query["limit"] else { return (query["after"] ?? "", 100) }
        guard let limit = Int(limit), (1...KeysHandler.mostKeys).contains(limit) else {
            throw .invalidKeySetting("limit", "'limit' must be from 1 to \(KeysHandler.mostKeys).")
        }
        return (query["after"] ?? "", limit)
    }
}
