internal import HTTPTypes
internal import HeadgateHTTP
internal import HeadgatePrimitives
internal import HeadgateRelay

/// Handler of `GET /v1/admin/requests/{number}`: the content of one request, for admins.
struct InspectionHandler: Sendable {
    /// Inspected requests; nil if inspection is off.
    let requests: Locked<InspectedRequests>?
    /// Upstreams of the current configuration.
    let definitions: [UpstreamDefinition]

    func handle(_ metadata: ServerRequestMetadata, completion: @escaping RequestHandler.Completion) {
        do throws(GatewayError) {
            guard metadata.caller.isAdmin else { throw .notForThisKey }
            guard let requests else { throw .inspectOff }
            let number = metadata.pathParameters["number"].flatMap { Int($0) }
            guard let request = number.flatMap({ number in requests.withLock { $0[number] } }) else {
                throw .requestNotStored
            }
            let call = InspectionCall()
            metadata.work = call
            // Masking and writing several bodies takes too long for a loop.
            call.aside(metadata) { [definitions] () throws(GatewayError) in
                guard let content = request.shown(definitions) else { throw .requestNotStored }
                return InspectionDocument(request: request, content: content).json
            } then: { result in
                metadata.work = nil
                completion(result.map(InspectionHandler.response))
            }
        } catch {
            completion(.failure(error))
        }
    }

    private static func response(_ json: [UInt8]) -> ServerResponse {
        let fields: HTTPFields = [.contentType: "application/json", .cacheControl: "no-store"]
        return ServerResponse(HTTPResponse(status: .ok, headerFields: fields), .bytes(json))
    }
}

/// Request for the stored content of another request.
private final class InspectionCall: PendingCall {}

/// Document with the contract's schema `InspectedRequest`.
struct InspectionDocument {
    let request: InspectedRequest
    let content: InspectedContent

    var json: [UInt8] {
        var output = JSONMembers(room: 1024 + 2 * content.body.bytes.count + content.response.bytes.count)
        output.append("number", request.number)
        output.append("operation", request.operation)
        output.append("path", request.path)
        output.append("started_at", time: request.startedAt)
        output.append("ended_ms", milliseconds: content.endedAt.map(InspectionDocument.seconds))
        output.append("headers", list: content.fields, members: write)
        output.append("body") { write(&$0, content.body) }
        output.append("attempts", list: content.attempts, members: write)
        output.append("status", content.status)
        output.append("error", content.error)
        output.append("response", members: writeResponse)
        return output.end()
    }

    private func writeResponse(_ output: inout JSONMembers) {
        output.append("size", content.response.size)
        output.append("cut", content.response.isCut)
        guard content.response.isText else { return }
        var start = 0
        output.append("pieces", list: content.pieces) { output, piece in
            output.append("at_ms", milliseconds: InspectionDocument.seconds(piece.time))
            output.append("text", content.response.text(start..<max(start, piece.end)))
            start = max(start, piece.end)
        }
    }

    private func write(_ output: inout JSONMembers, _ attempt: InspectedAttempt) {
        output.append("upstream", attempt.upstream)
        output.append("place", attempt.place)
        output.append("started_ms", milliseconds: InspectionDocument.seconds(attempt.startedAt))
        output.append("responded_ms", milliseconds: attempt.respondedAt.map(InspectionDocument.seconds))
        output.append("status", attempt.status)
        output.append("error", attempt.error)
        output.append("headers", list: attempt.fields, members: write)
        if let body = attempt.body { output.append("body") { write(&$0, body) } }
        if attempt.response.size > 0 { output.append("response") { write(&$0, attempt.response) } }
    }

    private func write(_ output: inout JSONMembers, _ field: HTTPField) {
        output.append("name", field.name.canonicalName)
        output.append("value", field.value)
    }

    private func write(_ output: inout JSONMembers, _ body: CutBody) {
        output.append("size", body.size)
        output.append("cut", body.isCut)
        if body.isText { output.append("text", body.text) }
    }

    private static func seconds(_ nanoseconds: UInt64) -> Double { Double(nanoseconds) / 1e9 }
}

extension GatewayError {
    static let inspectOff = GatewayError.invalidRequest(
        404, "This gateway stores no content of requests. 'inspect: {}' in its configuration turns that on.",
        code: "inspect_off", cause: .unknownRoute)

    static let requestNotStored = GatewayError.invalidRequest(
        404, "The content of this request is not stored any longer: newer requests have displaced it.",
        code: "request_not_stored", cause: .unknownResponse)
}
