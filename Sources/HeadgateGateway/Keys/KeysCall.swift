internal import HTTPTypes
internal import HeadgateConfiguration
internal import HeadgateDialects
internal import HeadgateHTTP
internal import HeadgatePrimitives
internal import HeadgateRelay

/// Request to the routes of managed keys. Loop-confined.
final class KeysCall: PendingCall {
    private let metadata: ServerRequestMetadata
    private let keys: KeyPlaces
    /// Seconds since 1970.
    private let now: Int64
    private var completion: RequestHandler.Completion?
    /// Code that is being redeemed, until a device has its key.
    private var redemption: (code: String, pairing: PairingCodes.Pairing)?
    /// Digest of the key that the store has added, or might have added.
    private var addedKey: KeyDigest?

    /// Maximum number of checks whether the first key is accepted, and the interval between them.
    private static let looks = 300
    private static let interval = Duration.milliseconds(10)

    init(
        _ metadata: ServerRequestMetadata, _ keys: KeyPlaces, at now: Int64,
        completion: @escaping RequestHandler.Completion
    ) {
        self.metadata = metadata
        self.keys = keys
        self.now = now
        self.completion = completion
        super.init()
        metadata.work = self
    }

    /// Returns a code that was not redeemed. The last reference is released with the response, or after the client has
    /// disconnected.
    deinit {
        guard let redemption else { return }
        let giveBack: @Sendable () -> Void = { [pairings = keys.pairings] in
            pairings.withLock { $0.giveBack(redemption.pairing, code: redemption.code) }
        }
        guard let addedKey, let store = keys.store else { return giveBack() }
        // No device has received this key, and the returned code needs its name.
        let name = redemption.pairing.name
        store.find(name) { result in
            guard case .success(let key) = result else { return }
            guard key?.digest == addedKey else { return giveBack() }
            store.revoke(name) { if case .success = $0 { giveBack() } }
        }
    }

    func read<Value>(
        _ body: HTTPBody?, _ work: @escaping (JSONObject) throws(GatewayError) -> Value,
        then goOn: @escaping (Value) -> Void
    ) {
        let limit = min(metadata.bodyLimit, KeyRequest.limit)
        let coding = RequestCoding(metadata, limit: limit)
        wait {
            (body ?? .bytes([])).collect(upTo: limit, within: keys.bodies.allowance()) { [self] result in
                stepEnded()
                do {
                    goOn(try work(try KeyRequest.object(try coding.plain(try result.get()))))
                } catch {
                    complete(.failure(error))
                }
            }
        }
    }

    // MARK: Operations

    func list(after name: String, limit: Int) {
        let (configured, groups, now) = (keys.configured, keys.groups, now)
        let (hasLedger, budgets) = (keys.hasLedger, keys.budgets)
        let own = name.isEmpty ? configured.map { KeyDocument($0, budgets, at: now) } : []
        guard let store = keys.store else { return respond(KeyDocument.list(own, hasMore: false)) }
        ask { answer in
            // One extra key shows whether there is another page.
            store.list(after: name, limit: limit + 1) { result in
                // Runs on the store's thread, because parsing the settings of a key takes some microseconds.
                answer(
                    result.map { keys in
                        let documents = keys.prefix(limit).map {
                            KeyDocument(
                                $0, beside: configured, groups: groups, hasLedger: hasLedger, budgets: budgets, at: now)
                        }
                        return KeyDocument.list(own + documents, hasMore: keys.count > limit)
                    })
            }
        } then: { [self] in
            respond($0)
        }
    }

    func show(_ name: String) {
        if let key = keys.configured.first(where: { $0.name.isExactly(name) }) {
            return respond(KeyDocument(key, keys.budgets, at: now).json)
        }
        guard let store = keys.store else { return complete(.failure(GatewayError.unknownKey(name))) }
        ask {
            store.find(name, completion: $0)
        } then: { [self] key in
            guard let key else { return complete(.failure(GatewayError.unknownKey(name))) }
            respond(document(key).json)
        }
    }

    func add(_ name: String, _ settings: KeySettings) {
        guard let store = keys.store else { return complete(.failure(GatewayError.keysOff)) }
        guard !isConfigured(name) else { return complete(.failure(GatewayError.takenKeyName(name))) }
        let text = NewKey.make()
        let key = ManagedKey(name: name, digest: KeyDigest(of: text.utf8), settings: settings.text, created: now)
        // Also runs after the client has disconnected.
        let note = metadata.receiver { [self] isPossible in addedKey = isPossible ? key.digest : nil }
        ask { answer in
            store.add(key) { result in
                // A failure can also come after the store has added the key.
                note((try? result.get()) != false)
                answer(result)
            }
        } then: { [self] isAdded in
            guard isAdded else { return complete(.failure(GatewayError.takenKeyName(name))) }
            whenServed(KeysCall.looks) { [self] in
                redemption = nil
                respond(document(key).showing(text).json, status: .created)
            }
        }
    }

    /// Creates a pairing code. The first device that redeems the code gets the key.
    func addPairing(_ name: String, _ settings: KeySettings) {
        guard keys.store != nil else { return complete(.failure(GatewayError.keysOff)) }
        let (code, end) = (PairingCodes.makeCode(), now + PairingCodes.lifetime)
        let pairing = PairingCodes.Pairing(name: name, settings: settings, end: end)
        guard keys.pairings.withLock({ $0.add(pairing, code: code, at: now) }) else {
            return complete(.failure(GatewayError.tooManyPairings))
        }
        respond(PairingCodes.document(pairing, code: code), status: .created)
    }

    func redeem(_ code: String) {
        guard let pairing = keys.pairings.withLock({ $0.take(code, at: now) }) else {
            return complete(.failure(GatewayError.unknownPairing))
        }
        redemption = (code, pairing)
        add(pairing.name, pairing.settings)
    }

    func rotate(_ name: String, until end: Int64) {
        guard let store = keys.store else { return complete(.failure(absent(name))) }
        let text = NewKey.make()
        let (digest, now) = (KeyDigest(of: text.utf8), now)
        ask {
            store.rotate(name, to: digest, until: end, at: now, completion: $0)
        } then: { [self] key in
            guard let key else { return complete(.failure(absent(name))) }
            respond(document(key).showing(text).json)
        }
    }

    func revoke(_ name: String) {
        guard let store = keys.store else { return complete(.failure(absent(name))) }
        ask {
            store.revoke(name, completion: $0)
        } then: { [self] wasThere in
            guard wasThere else { return complete(.failure(absent(name))) }
            respond(JSONValue.object(["name": .string(name), "revoked": true]).bytes)
        }
    }

    private func isConfigured(_ name: String) -> Bool {
        keys.configured.contains { $0.name.isExactly(name) }
    }

    /// Returns the error for a name that no managed key has.
    private func absent(_ name: String) -> GatewayError {
        isConfigured(name) ? .configuredKey(name) : .unknownKey(name)
    }

    private func document(_ key: ManagedKey) -> KeyDocument {
        KeyDocument(
            key, beside: keys.configured, groups: keys.groups, hasLedger: keys.hasLedger,
            budgets: keys.budgets, at: now)
    }

    // MARK: Responses

    private func ask<Value: Sendable>(
        _ question: (@escaping @Sendable (Result<Value, KeyStoreFailure>) -> Void) -> Void,
        then goOn: @escaping (Value) -> Void
    ) {
        ask(metadata, orFail: .keysUnavailable) { _, answer in
            question { result in answer(result.mapError { _ in ResponseStoreFailure() }) }
        } then: { [self] (result: Result<Value, any Error>) in
            switch result {
            case .success(let value): goOn(value)
            case .failure(let error): complete(.failure(error))
            }
        }
    }

    /// Continues once the gateway accepts managed keys: after the first one is made, the gateway has to compile its
    /// configuration for them.
    private func whenServed(_ looks: Int, _ goOn: @escaping () -> Void) {
        guard keys.managed?.areServed == false, looks > 0 else { return goOn() }
        wait {
            metadata.after(KeysCall.interval) { [self] in
                stepEnded()
                guard !isCancelled else { return complete(.failure(TransportError(.cancelled))) }
                whenServed(looks - 1, goOn)
            }
        }
    }

    private func respond(_ document: [UInt8], status: HTTPResponse.Status = .ok) {
        let fields: HTTPFields = [.contentType: "application/json", .cacheControl: "no-store"]
        complete(.success(ServerResponse(HTTPResponse(status: status, headerFields: fields), .bytes(document))))
    }

    private func complete(_ result: Result<ServerResponse, any Error>) {
        guard let completion = completion.take() else { return }
        metadata.work = nil
        completion(result)
    }
}
