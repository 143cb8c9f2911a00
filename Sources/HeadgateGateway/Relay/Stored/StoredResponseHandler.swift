internal import HTTPTypes
internal import HeadgateConfiguration
internal import HeadgateContract
internal import HeadgateHTTP

/// Responses that an upstream keeps, by their id: `GET` and `DELETE /v1/responses/{id}`, its cancellation and its input.
///
/// The gateway keeps nothing of them but who made which (``StoredResponseAccess``): upstreams are asked in the order of
/// the configuration until one knows the id. One that fails is only heard when no other knows it.
struct StoredResponseHandler: Sendable {
    let upstreams: [Upstream]
    let models: ModelTable
    let access: StoredResponseAccess
    let eventLimit: Int

    /// By id, with what stands in their path behind that of the response.
    static let operations = [
        (OperationTable.retrieveResponse.id, ""), (OperationTable.deleteResponse.id, ""),
        (OperationTable.cancelResponse.id, "/cancel"), (OperationTable.listResponseInputItems.id, "/input_items"),
    ]

    private static let maximumResponse = 64 << 20

    /// - Parameter suffix: of the path behind the id, such as `/cancel`.
    func handle(
        _ operationID: String, _ request: RequestHead, _ metadata: ServerRequestMetadata, suffix: String
    ) async throws -> ServerResponse {
        let id = metadata.pathParameters["response_id"] ?? ""
        guard StoredResponseHandler.isID(id) else { throw StoredResponseHandler.unknown }
        let query = try Query(request.path, hasStreams: operationID == OperationTable.retrieveResponse.id)
        guard access.allows(id, metadata) else { throw StoredResponseAccess.unknown }
        let method = request.method == .head ? .get : request.method
        let question = Question(
            operationID: operationID, method: method, id: id, path: "/responses/\(id)\(suffix)\(query.text)",
            isStream: query.isStream, client: request.fields)
        let record = metadata.record
        var failure: (error: GatewayError, upstream: String)?
        for upstream in upstreams where models.serves(upstream.name, metadata.caller) {
            if case .anthropic = upstream.kind { continue }
            record.facts.upstream = upstream.name
            record.facts.upstreamStatus = nil
            record.begin(at: upstream.activity)
            do {
                if let answer = try await ask(upstream, question, metadata) { return answer }
            } catch let error as GatewayError where StoredResponseHandler.saysNothing(error) && !Task.isCancelled {
                failure = failure ?? (error, upstream.name)
                if record.facts.upstreamStatus == nil { upstream.activity.noteUnreachable() }
            }
            record.leave()
        }
        guard let failure else { throw StoredResponseHandler.unknown }
        record.facts.upstream = failure.upstream
        throw failure.error
    }

    /// Whether an upstream failed, keeps its own, or has no such route, and another one may still know the id.
    private static func saysNothing(_ error: GatewayError) -> Bool {
        error.status >= 500 || error.status == 403 || error.status == 405
    }

    /// What every upstream is asked.
    private struct Question {
        let operationID: String
        let method: HTTPRequest.Method
        let id: String
        /// After the upstream's prefix.
        let path: String
        let isStream: Bool
        let client: HeadFields
    }

    /// - Returns: nil when the upstream does not know the id.
    private func ask(
        _ upstream: Upstream, _ question: Question, _ metadata: ServerRequestMetadata
    ) async throws -> ServerResponse? {
        let record = metadata.record
        let fields: HTTPFields = [
            .accept: question.isStream ? "text/event-stream" : "application/json", .acceptEncoding: "identity",
            .userAgent: "headgate",
        ]
        let head = upstream.head(
            question.method, path: upstream.path(question.path), fields: fields, client: question.client)
        let errors = upstream.errors
        do {
            let answer = try await waitInTask { completion in
                upstream.send(question.operationID, head, body: question.method == .post ? [] : nil) {
                    completion($0.mapError { $0 })
                }
            }
            let (response, body) = (answer.head, answer.body)
            record.facts.upstreamStatus = response.status
            guard response.status == 200 else {
                let text = try? await waitInTask { AnswerCollector.collect(body, upTo: 64 << 10, completion: $0) }
                if response.status == 404 { return nil }
                throw errors.error(
                    status: response.status, headerFields: response.fields.httpFields, body: text ?? [])
            }
            // An upstream that replays no streams answers with the response as it stands.
            let type = response.fields.value(of: .contentType) ?? ""
            if question.isStream, type.lowercased().hasPrefix("text/event-stream") {
                return try await relay(body, question.id, errors, record)
            }
            let bytes = try await waitInTask {
                AnswerCollector.collect(body, upTo: StoredResponseHandler.maximumResponse, completion: $0)
            }
            let reading = WholeResponse.Reading(dialect: .responses, publicModel: nil, errors: errors)
            guard bytes.count > RelayedRequest.longDocument else {
                return ServerResponse(RelayFields.responseHead, .bytes(try reading.read(bytes).bytes))
            }
            let whole = try await waitInTask { completion in
                metadata.aside({ Result { () throws(GatewayError) in try reading.read(bytes) } }) { whole in
                    completion(whole?.mapError { $0 } ?? .failure(TransportError(.cancelled)))
                }
            }
            return ServerResponse(RelayFields.responseHead, .bytes(whole.bytes))
        } catch let error as TransportError {
            throw GatewayError.transport(error, upstream: upstream.name)
        } catch is HTTPSyntaxError {
            throw GatewayError.oversizeResponse
        }
    }

    private func relay(
        _ body: HTTPBody?, _ id: String, _ errors: UpstreamErrorReading, _ record: RequestRecord
    ) async throws -> ServerResponse {
        guard case .stream(let source)? = body else { throw GatewayError.incompleteStream() }
        record.becomeStream()
        let shape = TypedStreamShape.responses
        let transform = TypedStreamTransform(
            options: TypedStreamTransform.Options(
                id: id, terminal: shape.terminal, silent: shape.silent, endsWithDone: shape.endsWithDone,
                eventLimit: eventLimit, errors: errors))
        let relay = StreamRelay(source: source, transform: transform, dialect: .responses, record: record)
        try await waitInTask { relay.open(completion: $0) }
        return ServerResponse(EventStream.head, .stream(relay))
    }

    private static let unknown = GatewayError.invalidRequest(
        404, "No upstream knows a response with that id.", code: "response_not_found", parameter: "response_id")

    /// What can stand in a path without changing its meaning.
    private static func isID(_ text: String) -> Bool {
        (1...256).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 || $0 == 0x2D || $0 == 0x5F
            }
    }

    /// The parameters that mean something to this route, as they were written.
    private struct Query {
        /// With its question mark; empty if there are none.
        private(set) var text = ""
        private(set) var isStream = false

        private static let names: Set<String> = [
            "after", "before", "include", "include[]", "include_obfuscation", "limit", "order", "starting_after",
            "stream",
        ]

        /// - Parameter hasStreams: whether the route knows `stream`.
        init(_ path: String, hasStreams: Bool) throws(GatewayError) {
            guard let question = path.firstIndex(of: "?") else { return }
            for parameter in path[path.index(after: question)...].split(separator: "&") {
                let written = parameter.prefix { $0 != "=" }
                // SDKs escape brackets.
                guard let name = ModelsHandler.percentDecoded(String(written)), Query.names.contains(name),
                    name != "stream" || hasStreams
                else { continue }
                let value = parameter.dropFirst(written.count + 1)
                try Query.check(value, of: name)
                if name == "stream" {
                    guard !text.contains("stream=") else { throw Query.invalid(name, "stands twice") }
                    isStream = value == "true"
                }
                text += (text.isEmpty ? "?" : "&") + parameter
            }
        }

        private static func check(_ value: Substring, of name: String) throws(GatewayError) {
            switch name {
            case "stream", "include_obfuscation":
                guard value == "true" || value == "false" else { throw invalid(name, "must be true or false") }
            case "starting_after", "limit":
                guard !value.isEmpty, value.utf8.allSatisfy({ $0 &- 0x30 < 10 }) else {
                    throw invalid(name, "must be a whole number")
                }
            default:
                guard value.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x23 }) else {
                    throw invalid(name, "holds a character that must be escaped")
                }
            }
        }

        private static func invalid(_ name: String, _ problem: String) -> GatewayError {
            .invalidRequest(400, "The query parameter '\(name)' \(problem).", code: "invalid_value", parameter: name)
        }
    }
}
