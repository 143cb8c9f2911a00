internal import HTTPTypes
internal import HeadgateConfiguration
internal import HeadgateHTTP

/// Responses that an upstream keeps, by their id: `GET` and `DELETE /v1/responses/{id}`, its cancellation and its input.
///
/// The gateway keeps nothing of its own: upstreams are asked in the order of the configuration until one knows the id, so that any
/// replica can answer. Ids cannot be guessed.
struct StoredResponseHandler: Sendable {
    let upstreams: [Upstream]
    let models: ModelTable

    static let operationIDs = [
        Operations.retrieveResponse, Operations.deleteResponse, Operations.cancelResponse,
        Operations.listResponseInputItems,
    ]

    private static let maximumAnswer = 64 << 20
    private static let queryNames: Set<Substring> = [
        "after", "before", "include", "include[]", "include_obfuscation", "limit", "order", "starting_after", "stream",
    ]

    /// - Parameter suffix: of the path behind the id, such as `/cancel`.
    func handle(
        _ operationID: String, _ request: HTTPRequest, _ metadata: ServerRequestMetadata, suffix: String = ""
    ) async throws -> (HTTPResponse, HTTPBody?) {
        let id = metadata.pathParameters["response_id"] ?? ""
        guard StoredResponseHandler.isID(id) else { throw StoredResponseHandler.unknown }
        let query = try StoredResponseHandler.passedQuery(request.path ?? "")
        let method = request.method == .head ? .get : request.method
        for upstream in upstreams where models.serves(upstream.name, metadata.caller) {
            if case .anthropic = upstream.kind { continue }
            metadata.record.facts.upstream = upstream.name
            let answer = try await ask(
                upstream, operationID, method, "/responses/\(id)\(suffix)\(query)", metadata.record)
            if let answer { return answer }
        }
        throw StoredResponseHandler.unknown
    }

    /// - Returns: nil when the upstream does not know the id.
    private func ask(
        _ upstream: Upstream, _ operationID: String, _ method: HTTPRequest.Method, _ path: String,
        _ record: RequestRecord
    ) async throws -> (HTTPResponse, HTTPBody?)? {
        let isStream = path.contains("stream=true")
        let fields: HTTPFields = [
            .accept: isStream ? "text/event-stream" : "application/json", .acceptEncoding: "identity",
            .userAgent: "headgate",
        ]
        let sent = HTTPRequest(
            method: method, scheme: nil, authority: upstream.authority, path: upstream.path(path), headerFields: fields)
        let errors = UpstreamErrorReading(upstream: upstream.name, secret: upstream.credential)
        do {
            let (response, body) = try await upstream.send(operationID, sent, method == .post ? .bytes([]) : nil)
            record.facts.upstreamStatus = response.status.code
            guard response.status.code == 200 else {
                let text = try? await AnswerCollector.collect(body, upTo: 64 << 10)
                if response.status.code == 404 { return nil }
                throw errors.error(
                    status: response.status.code, headerFields: response.headerFields, body: text ?? [])
            }
            if isStream { return try await relay(body, errors, record) }
            let bytes = try await AnswerCollector.collect(body, upTo: StoredResponseHandler.maximumAnswer)
            let whole = try WholeAnswer(typed: bytes, publicModel: nil, errors: errors)
            return (HTTPResponse(status: .ok, headerFields: RelayFields.answer), .bytes(whole.bytes))
        } catch let error as TransportError {
            throw GatewayError.transport(error, upstream: upstream.name)
        }
    }

    private func relay(
        _ body: HTTPBody?, _ errors: UpstreamErrorReading, _ record: RequestRecord
    ) async throws -> (HTTPResponse, HTTPBody?) {
        guard case .stream(let source)? = body else { throw GatewayError.incompleteStream() }
        record.facts.isStream = true
        let shape = TypedStreamShape.responses
        let transform = TypedStreamTransform(
            options: TypedStreamTransform.Options(
                terminal: shape.terminal, silent: shape.silent, endsWithDone: shape.endsWithDone, errors: errors))
        let relay = StreamRelay(source: source, transform: transform, dialect: .responses, record: record)
        try await relay.open()
        return (HTTPResponse(status: .ok, headerFields: EventStream.headerFields), .stream(relay))
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

    /// The parameters that mean something to this route, as they were written, with their question mark.
    private static func passedQuery(_ path: String) throws(GatewayError) -> String {
        guard let question = path.firstIndex(of: "?") else { return "" }
        var passed: [Substring] = []
        for parameter in path[path.index(after: question)...].split(separator: "&") {
            let name = parameter.prefix { $0 != "=" }
            let value = parameter.dropFirst(name.count + 1)
            guard queryNames.contains(name) else { continue }
            if name == "stream" || name == "include_obfuscation", value != "true", value != "false" {
                throw invalid(name, "must be true or false")
            }
            if name == "starting_after" || name == "limit", value.isEmpty || !value.utf8.allSatisfy({ $0 &- 0x30 < 10 })
            {
                throw invalid(name, "must be a whole number")
            }
            guard value.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x23 }) else {
                throw invalid(name, "holds a character that must be escaped")
            }
            passed.append(parameter)
        }
        return passed.isEmpty ? "" : "?" + passed.joined(separator: "&")
    }

    private static func invalid(_ name: Substring, _ problem: String) -> GatewayError {
        .invalidRequest(
            400, "The query parameter '\(name)' \(problem).", code: "invalid_value", parameter: String(name))
    }
}
