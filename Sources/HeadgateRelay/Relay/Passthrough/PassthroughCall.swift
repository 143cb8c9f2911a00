internal import HTTPTypes
internal import HeadgateConfiguration
internal import HeadgateHTTP

/// Call for one request that is passed through to an upstream.
///
/// Loop-confined.
final class PassthroughCall: PendingCall {
    private let request: RequestHead
    private let body: HTTPBody?
    private let upstream: Upstream
    private let definition: UpstreamDefinition
    private let metadata: ServerRequestMetadata
    private var upload: PassthroughUpload?
    private var completion: RequestHandler.Completion?

    init(
        _ request: RequestHead, _ body: HTTPBody?, at place: PassthroughHandler.Place,
        _ metadata: ServerRequestMetadata, completion: @escaping RequestHandler.Completion
    ) {
        self.request = request
        self.body = body
        upstream = place.upstream(at: metadata.record.now)
        definition = place.definition
        self.metadata = metadata
        self.completion = completion
    }

    func start(_ target: PassthroughTarget) {
        metadata.work = self
        let record = metadata.record
        record.facts.upstream = upstream.name
        record.begin(upstream.activity)
        let outgoing = outgoing(to: target)
        wait {
            upstream.send(outgoing, for: metadata) { [self] result in
                stepEnded()
                receive(result)
            }
        }
    }

    private func outgoing(to target: PassthroughTarget) -> UpstreamRequest {
        var fields = PassthroughFields.request(request.fields)
        fields[.acceptEncoding] = "identity"
        if fields[.userAgent] == nil { fields[.userAgent] = "headgate" }
        if case .anthropic = upstream.kind, fields[.anthropicVersion] == nil {
            fields[.anthropicVersion] = "\(RequestHeads.anthropicVersion)"
        }
        // An upstream could repeat a key in two ranges, neither of which contains the whole key.
        let head = upstream.head(
            request.method, path: upstream.passthroughPath(target), fields: fields, client: request.fields,
            without: KeyMask.hides(keysOf: definition) ? [.range, .ifRange] : [])
        let operationID = PassthroughHandler.operationID
        if case .fixed(0) = request.bodyLength {
            let hasBody = [.post, .put, .patch].contains(request.method)
            return UpstreamRequest(head, body: hasBody ? [] : nil, operationID: operationID)
        }
        let source = (body ?? .bytes([])).source
        if let whole = source.takeWhole() { return UpstreamRequest(head, body: whole, operationID: operationID) }
        let upload = PassthroughUpload(source)
        self.upload = upload
        return UpstreamRequest(
            head, streaming: StreamedBody(upload, length: source.declaredLength), operationID: operationID)
    }

    private func receive(_ result: Result<UpstreamResponse, TransportError>) {
        switch result {
        case .success(let response): respond(response)
        case .failure(let error):
            complete(.failure(upload?.failure ?? GatewayError.transport(error, upstream: upstream.name)))
        }
    }

    private func respond(_ response: UpstreamResponse) {
        let head = response.head
        let record = metadata.record
        record.facts.upstreamStatus = response.receivedStatus
        if head.status >= 500 { record.note(.relayed(head.status)) }
        var fields = PassthroughFields.response(head) + upstream.heads.own
        // A key command can have issued the key of this request meanwhile.
        let keys = KeyMask.keys(of: definition)
        KeyMask.clean(&fields, of: keys)
        let status = HTTPResponse.Status(code: head.status)
        let source = response.body?.source
        let hasBody = request.method != .head && head.status != 204 && head.status != 304
        if !hasBody { source?.cancel() }
        let body = hasBody ? source.map { relayed($0, without: keys) } : nil
        complete(.success(ServerResponse(HTTPResponse(status: status, headerFields: fields), body)))
    }

    private func relayed(_ source: any BodySource, without keys: [[UInt8]]) -> HTTPBody {
        .stream(MediaRelay(source: keys.isEmpty ? source : KeyMask(source, keys: keys), record: metadata.record))
    }

    private func complete(_ result: Result<ServerResponse, any Error>) {
        guard let completion = completion.take() else { return }
        metadata.work = nil
        completion(result)
    }
}

extension GatewayError {
    /// Returns the error of an upstream whose response is relayed unchanged.
    fileprivate static func relayed(_ status: Int) -> GatewayError {
        GatewayError(status, type: "server_error", message: "", cause: .upstreamStatus(status))
    }
}

extension Upstream {
    /// Returns the complete path and query of a request that is passed through.
    fileprivate func passthroughPath(_ target: PassthroughTarget) -> String {
        let query = target.query.isEmpty ? "" : "?" + target.query
        // Some libraries append `/v1` even to a base URL that already ends with it.
        let isRepeated = baseURL.pathPrefix.hasSuffix("/v1") && target.path.hasPrefix("/v1/")
        let path = (isRepeated ? String(target.path.dropFirst(3)) : target.path) + query
        let namesVersion = target.query.split(separator: "&").contains { $0.hasPrefix("api-version=") }
        return namesVersion ? baseURL.pathPrefix + path : self.path(path)
    }
}
