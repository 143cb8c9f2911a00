internal import HeadgateDialects
internal import HeadgateHTTP

/// The translation of one request for one target.
struct OutgoingTranslation: Sendable {
    struct Request: Sendable {
        /// In the upstream's format.
        let translated: RequestEnvelope
        /// The same after the parameter rules of the upstream.
        let envelope: RequestEnvelope
        let body: [UInt8]
        let dropped: [String]
        let context: ResponseContext
    }

    private let client: WireFormat
    private let outgoing: RelayOperation
    private let upstream: WireFormat
    private let target: ModelTarget
    private let keepsResponses: Bool

    /// Nil for an operation whose requests are never translated.
    ///
    /// - Parameter keepsResponses: whether the gateway does what `store` asks for.
    init?(of operation: RelayOperation, for target: ModelTarget, keepsResponses: Bool = false) {
        outgoing = operation.outgoing(to: target.upstream)
        guard let client = operation.format, let upstream = outgoing.format else { return nil }
        self.client = client
        self.upstream = upstream
        self.target = target
        self.keepsResponses = keepsResponses
    }

    func translator(_ context: ResponseContext) -> ResponseTranslator {
        ResponseTranslator(from: upstream, to: client, context)
    }

    /// - Throws: a ``GatewayError`` that names the member of the client's request that is at fault.
    func translate(_ envelope: RequestEnvelope) throws(GatewayError) -> Request {
        var traits = TargetTraits(model: target.model)
        traits.limitsCompletionTokens = target.upstream.isOpenAIsOwn
        let translated: TranslatedRequest
        do throws(TranslationError) {
            translated = try RequestTranslation.translate(
                envelope.bytes, from: client, to: upstream, for: traits, keepsResponses: keepsResponses)
        } catch {
            throw GatewayError(untranslatable: error)
        }
        let envelope = try RequestEnvelope(translated.body, shape: outgoing.shape)
        let prepared = try envelope.prepared(for: target, of: outgoing)
        return Request(
            translated: envelope, envelope: prepared, body: prepared.upstreamBody(model: target.model),
            dropped: translated.dropped, context: translated.context)
    }
}

extension GatewayError {
    init(untranslatable error: TranslationError) {
        self = .invalidRequest(
            400, error.message, code: "unsupported_value", parameter: error.member, cause: .untranslatable)
    }
}

/// The members of a request that its translation leaves out, as a field's value.
enum DroppedMembers {
    /// Octets. Clients may name members as they like.
    private static let longest = 1024

    static func text(_ members: [String]) -> String {
        var text = ""
        for member in members {
            let name = String(decoding: member.utf8.map { isPlain($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
            guard text.utf8.count + name.utf8.count + 2 <= longest else { return text + ", ..." }
            text += text.isEmpty ? name : ", \(name)"
        }
        return text
    }

    private static func isPlain(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: ",") }
}
