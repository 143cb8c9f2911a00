internal import HTTPTypes
internal import HeadgateConfiguration
internal import HeadgateContract
internal import HeadgateDialects
internal import HeadgateHTTP
internal import HeadgatePrimitives
internal import HeadgateRelay

/// Handler of managed keys: `/v1/admin/keys` and the routes below it.
struct KeysHandler: Sendable {
    let keys: KeyPlaces
    /// Nanoseconds since 1970.
    let realtime: @Sendable () -> Int64

    static let operations = [
        OperationTable.listKeys.id, OperationTable.createKey.id, OperationTable.retrieveKey.id,
        OperationTable.revokeKey.id, OperationTable.rotateKey.id, OperationTable.createPairing.id,
        OperationTable.redeemPairing.id,
    ]

    /// Maximum keys of a page.
    private static let mostKeys = 1000

    func handle(
        _ operationID: String, _ request: RequestHead, _ body: HTTPBody?, _ metadata: ServerRequestMetadata,
        completion: @escaping RequestHandler.Completion
    ) {
        do throws(GatewayError) {
            // A pairing code needs no other authorization.
            if operationID != OperationTable.redeemPairing.id {
                try admit(metadata, toChange: request.method != .get && request.method != .head)
            }
            let call = KeysCall(metadata, keys, at: realtime() / 1_000_000_000, completion: completion)
            let name = QueryParameters.decoded(metadata.pathParameters["name"] ?? "")
            switch operationID {
            case OperationTable.listKeys.id:
                let (after, limit) = try page(request)
                call.list(after: after, limit: limit)
            case OperationTable.createKey.id, OperationTable.createPairing.id:
                let (groups, hasLedger) = (keys.groups, keys.hasLedger)
                let now = realtime() / 1_000_000_000
                call.read(body) { object throws(GatewayError) in
                    try KeyRequest.addition(object, groups: groups, hasLedger: hasLedger, at: now)
                } then: {
                    if operationID == OperationTable.createKey.id {
                        call.add($0.name, $0.settings)
                    } else {
                        call.addPairing($0.name, $0.settings)
                    }
                }
            case OperationTable.redeemPairing.id: call.redeem(metadata.pathParameters["code"] ?? "")
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

    /// Checks that the caller may read or change keys.
    ///
    /// On a gateway without keys every caller is an admin and may read. The first key would lock out all other
    /// callers, so only the gateway's own user may make it, on a socket or by the command.
    private func admit(_ metadata: ServerRequestMetadata, toChange: Bool) throws(GatewayError) {
        guard metadata.caller.isAdmin else { throw .keysNotForThisKey }
        guard toChange, keys.isKeyless else { return }
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

/// Keys of a gateway, with the state that the handler needs.
struct KeyPlaces: Sendable {
    /// Keys of the configuration.
    let configured: [KeyConfiguration]
    /// Names of the groups to which keys can belong.
    let groups: [String]
    let hasLedger: Bool
    let managed: ManagedKeys?
    let pairings: Locked<PairingCodes>
    /// Store of managed keys; nil for none.
    let store: (any KeyStore)?
    let isKeyless: Bool
    let bodies: BodyBudget
    let budgets: BudgetOverview
}

extension Capability {
    static func managedKeys(
        _ managed: ManagedKeys?, _ store: (any KeyStore)?, _ configuration: Configuration, _ limits: LimitPolicy,
        _ state: GatewayState
    ) -> Capability {
        Capability(
            name: "managed keys",
            handlers: { context in
                let relay = context.relay
                let keys = KeyPlaces(
                    configured: configuration.keys, groups: configuration.groups.map(\.name),
                    hasLedger: limits.ledger != nil, managed: managed,
                    pairings: state.shared(PairingCodes.self), store: store, isKeyless: relay.keys.isKeyless,
                    bodies: relay.bodies, budgets: BudgetOverview(relay.keys, limits))
                let handler = KeysHandler(keys: keys, realtime: context.realtime)
                let handlers = KeysHandler.operations.map { operation in
                    (operation, RequestHandler.direct { handler.handle(operation, $0, $1, $2, completion: $3) })
                }
                return Dictionary(uniqueKeysWithValues: handlers)
            })
    }
}
