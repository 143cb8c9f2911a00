internal import HTTPTypes
internal import HeadgateContract
internal import HeadgateDialects
internal import HeadgateHTTP
internal import JSONBytes

/// Call for one request about a response that the gateway itself stores.
///
/// Loop-confined.
final class LocalResponseLookup: PendingCall {
    enum Question {
        case response(String)
        case items(String, ResponsesInputItems.Page)
        case deletion(String)

        /// - Throws: ``GatewayError`` for an operation that a complete response does not support.
        init(_ operationID: String, _ query: StoredResponseHandler.Query, id: String) throws(GatewayError) {
            switch operationID {
            case OperationTable.deleteResponse.id: self = .deletion(id)
            case OperationTable.listResponseInputItems.id: self = .items(id, try query.page())
            case OperationTable.cancelResponse.id:
                throw .invalidRequest(
                    400, "Only a response that is made in the background can be cancelled. This one is complete.",
                    code: "invalid_value", parameter: "response_id")
            default:
                guard !query.isStream else {
                    throw .invalidRequest(
                        400,
                        "Only a response that was made in the background can be had as a stream again: leave 'stream' "
                            + "out.",
                        code: "invalid_value", parameter: "stream")
                }
                self = .response(id)
            }
        }
    }

    private let question: Question
    private let metadata: ServerRequestMetadata
    private var completion: RequestHandler.Completion?

    init(
        _ question: Question, _ metadata: ServerRequestMetadata, completion: @escaping RequestHandler.Completion
    ) {
        self.question = question
        self.metadata = metadata
        self.completion = completion
    }

    /// Starts the lookup.
    ///
    /// - Parameters:
    ///   - owner: owner whose responses the caller can access; nil for all owners.
    ///   - now: current time in seconds since 1970.
    func start(_ kept: LocalResponses, owner: [UInt8]?, at now: Int64) {
        metadata.work = self
        switch question {
        case .response(let id), .items(let id, _):
            ask(metadata, orFail: .responsesUnavailable) { _, answer in
                kept.store.find(id, of: owner, at: now, completion: answer)
            } then: { [self] (result: Result<LocalResponse?, any Error>) in
                switch result {
                case .success(let response?): show(response)
                case .success(nil): complete(.failure(StoredResponseAccess.unknown))
                case .failure(let error): complete(.failure(error))
                }
            }
        case .deletion(let id):
            ask(metadata, orFail: .responsesUnavailable) { interest, answer in
                kept.store.remove(id, of: owner, at: now, for: interest, completion: answer)
            } then: { [self] (result: Result<Bool, any Error>) in
                switch result {
                case .success(true): respond(Array(#"{"id":"\#(id)","object":"response","deleted":true}"#.utf8))
                case .success(false): complete(.failure(StoredResponseAccess.unknown))
                case .failure(let error): complete(.failure(error))
                }
            }
        }
    }

    private func show(_ response: LocalResponse) {
        guard case .items(_, let page) = question else { return respond(response.document) }
        let work: @Sendable () throws(GatewayError) -> [UInt8] = { () throws(GatewayError) in
            guard let list = ResponsesInputItems.list(response.input, of: response.id, page) else {
                throw StoredResponseHandler.Query.invalid("after", "names no item of this response")
            }
            return list
        }
        aside(metadata, work) { [self] result in
            switch result {
            case .success(let list): respond(list)
            case .failure(let error): complete(.failure(error))
            }
        }
    }

    private func respond(_ document: [UInt8]) {
        let fields: HTTPFields = [.contentType: "application/json", .cacheControl: "no-store"]
        complete(.success(ServerResponse(HTTPResponse(status: .ok, headerFields: fields), .bytes(document))))
    }

    private func complete(_ result: Result<ServerResponse, any Error>) {
        guard let completion = completion.take() else { return }
        metadata.work = nil
        completion(result)
    }
}
