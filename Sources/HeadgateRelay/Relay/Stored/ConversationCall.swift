internal import HTTPTypes
internal import HeadgateDialects
internal import HeadgateHTTP

/// Call for one request about a conversation.
///
/// Loop-confined.
final class ConversationCall: PendingCall {
    private let metadata: ServerRequestMetadata
    private let kept: LocalResponses
    private let access: StoredResponseAccess
    /// Current time in seconds since 1970.
    private let now: Int64
    private var completion: RequestHandler.Completion?

    init(
        _ metadata: ServerRequestMetadata, _ kept: LocalResponses, _ access: StoredResponseAccess, at now: Int64,
        completion: @escaping RequestHandler.Completion
    ) {
        self.metadata = metadata
        self.kept = kept
        self.access = access
        self.now = now
        self.completion = completion
        super.init()
        metadata.work = self
    }

    /// Reads the request's body.
    ///
    /// - Parameters:
    ///   - allowance: memory allowance for the body, retained until the store has been queried.
    ///   - work: turns the body into a question for the store.
    func read(
        _ body: HTTPBody?, within allowance: BodyAllowance,
        _ work: @escaping @Sendable (JSONObject) throws(GatewayError) -> ConversationQuestion,
        then goOn: @escaping (ConversationQuestion) -> Void
    ) {
        let content = body ?? .bytes([])
        wait {
            content.collect(upTo: metadata.bodyLimit, within: allowance) { [self] result in
                stepEnded()
                switch result {
                case .success(let bytes): parse(bytes, allowance, work, then: goOn)
                case .failure(let error): complete(.failure(error))
                }
            }
        }
    }

    private func parse(
        _ bytes: [UInt8], _ allowance: BodyAllowance,
        _ work: @escaping @Sendable (JSONObject) throws(GatewayError) -> ConversationQuestion,
        then goOn: @escaping (ConversationQuestion) -> Void
    ) {
        let coding = RequestCoding(metadata)
        let parsing: @Sendable () throws(GatewayError) -> ConversationQuestion = { () throws(GatewayError) in
            try work(try ConversationCall.object(try coding.plain(bytes)))
        }
        let finish: (Result<ConversationQuestion, any Error>) -> Void = { [self] result in
            withExtendedLifetime(allowance) {
                switch result {
                case .success(let question): goOn(question)
                case .failure(let error): complete(.failure(error))
                }
            }
        }
        guard bytes.count > LongDocument.threshold || coding.isCoded else {
            return finish(Result { () throws(GatewayError) in try parsing() }.mapError { $0 })
        }
        aside(metadata, parsing, then: finish)
    }

    private static func object(_ bytes: [UInt8]) throws(GatewayError) -> JSONObject {
        // SDKs send no body if the request has no members.
        if bytes.isEmpty { return JSONObject() }
        guard let object = (try? JSONValue(bytes))?.object else {
            throw .invalidRequest(400, "The request body is not a JSON object.", code: "invalid_json")
        }
        return object
    }

    /// Queries the store and responds to the request.
    func ask(_ question: ConversationQuestion, about id: String) {
        let (kept, now) = (kept, now)
        let owner = access.owner(metadata)
        ask(metadata, orFail: .conversationsUnavailable) { interest, answer in
            kept.store.ask(question, about: id, of: owner, at: now, for: interest, completion: answer)
        } then: { [self] (result: Result<ConversationAnswer, any Error>) in
            switch result {
            case .success(let answer): complete(answer, to: question, about: id)
            case .failure(let error): complete(.failure(error))
            }
        }
    }

    private func complete(_ answer: ConversationAnswer, to question: ConversationQuestion, about id: String) {
        switch answer {
        case .conversation(let conversation): respond(conversation.document)
        case .items(let items, let hasMore): respond(ConversationCall.list(items, hasMore: hasMore))
        case .item(let item): respond(item.document)
        case .deleted: respond(Array(#"{"id":"\#(id)","object":"conversation.deleted","deleted":true}"#.utf8))
        case .unknownItem:
            guard case .items = question else { return complete(.failure(GatewayError.unknownItem)) }
            complete(
                .failure(StoredResponseHandler.Query.invalid("after", "names no item of this conversation")))
        case .history, .turn, .unknown, .busy, .tooLong:
            complete(.failure(answer.error(naming: "conversation_id")))
        }
    }

    private static func list(_ items: [ConversationItem], hasMore: Bool) -> [UInt8] {
        func literal(_ item: ConversationItem?) -> String { item.map { "\"\($0.id)\"" } ?? "null" }
        var list = Array(#"{"object":"list","data":["#.utf8)
        list.append(contentsOf: ConversationItems.elements(items))
        let ends = #"],"first_id":\#(literal(items.first)),"last_id":\#(literal(items.last)),"#
        list.append(contentsOf: (ends + #""has_more":\#(hasMore)}"#).utf8)
        return list
    }

    private func respond(_ document: [UInt8]) {
        complete(.success(ServerResponse(RelayFields.responseHead, .bytes(document))))
    }

    private func complete(_ result: Result<ServerResponse, any Error>) {
        guard let completion = completion.take() else { return }
        metadata.work = nil
        completion(result)
    }
}

extension Conversation {
    fileprivate var document: [UInt8] {
        Array(#"{"id":"\#(id)","object":"conversation","created_at":\#(created),"metadata":"#.utf8) + metadata + [0x7D]
    }
}
