internal import HeadgateConfiguration
package import HeadgateDialects
internal import HeadgateHTTP

/// Translation of one request for one target.
package struct OutgoingTranslation: Sendable {
    private enum Kind {
        case conversation(from: ClientFormat, to: WireFormat)
        case embeddings(OllamaEmbeddingForm)
    }

    private let kind: Kind
    /// Operation that the upstream receives.
    let outgoing: RelayOperation
    private let target: ModelTarget
    private let keepsResponses: Bool
    private let compaction: CompactionForm?

    /// Creates the translation; nil for an operation whose requests are never translated.
    ///
    /// - Parameters:
    ///   - keepsResponses: whether the gateway itself stores the response if `store` requests it.
    ///   - summarizes: whether requests for a compaction get a summary.
    package init?(
        of operation: RelayOperation, for target: ModelTarget, keepsResponses: Bool = false, summarizes: Bool = false
    ) {
        outgoing = operation.outgoing(to: target.upstream)
        self.target = target
        self.keepsResponses = keepsResponses
        compaction = summarizes ? (operation.compacts ? .document : .response) : nil
        if let form = operation.embeddingForm {
            kind = .embeddings(form)
        } else if let client = operation.compacts ? .responses : operation.format,
            let upstream = outgoing.format?.wire
        {
            kind = .conversation(from: client, to: upstream)
        } else {
            return nil
        }
    }

    func translator(_ context: ResponseContext) -> ResponseTranslator {
        switch kind {
        case .conversation(let client, let upstream): ResponseTranslator(from: upstream, to: client, context)
        case .embeddings(let form): ResponseTranslator(embeddingsIn: form, context)
        }
    }

    /// Translates a request to the target's format.
    ///
    /// - Throws: ``GatewayError`` that names the invalid member of the client's request.
    package func translate(_ envelope: RequestEnvelope) throws(GatewayError) -> PreparedRequest {
        let translated: TranslatedRequest
        do throws(TranslationError) {
            translated = try translate(envelope.bytes, model: target.model ?? envelope.model)
        } catch {
            throw GatewayError(untranslatable: error)
        }
        return try PreparedRequest(
            RequestEnvelope(translated.body, shape: outgoing.shape), dropped: translated.dropped, for: target,
            of: outgoing, context: translated.context)
    }

    /// - Parameter model: the upstream's name for the model.
    private func translate(_ body: [UInt8], model: String) throws(TranslationError) -> TranslatedRequest {
        switch kind {
        case .conversation(let client, let upstream):
            var traits = TargetTraits(model: model)
            traits.isOpenAIsOwn = target.upstream.isOpenAIsOwn
            traits.provider = target.upstream.provider
            if let written = target.upstream.systemMessages { traits.joinsSystemMessages = written == .joined }
            return try RequestTranslation.translate(
                body, from: client, to: upstream, for: traits, keepsResponses: keepsResponses, compaction: compaction)
        case .embeddings(let form): return try EmbeddingTranslation.request(body, in: form, model: model)
        }
    }
}

extension GatewayError {
    package init(untranslatable error: TranslationError) {
        self = .invalidRequest(
            400, error.message, code: "unsupported_value", parameter: error.member, cause: .untranslatable)
    }
}

/// Header value that lists the members that a translation drops from its request.
enum DroppedMembers {
    /// Maximum bytes of the list, because clients can give members any name.
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
