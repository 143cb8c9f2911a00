internal import HTTPTypes
internal import HeadgateHTTP
internal import HeadgatePrimitives
internal import HeadgateRelay

/// Handler of `POST /v1/admin/upstreams/{name}/unload`: stops the program that the gateway runs for an upstream.
struct ProgramHandler: Sendable {
    let upstreams: [ObservedUpstream]

    func unload(_ metadata: ServerRequestMetadata) throws(GatewayError) -> ServerResponse {
        guard metadata.caller.isAdmin else { throw .notForThisKey }
        let name = QueryParameters.decoded(metadata.pathParameters["name"] ?? "")
        guard let program = upstreams.first(where: { $0.name.isExactly(name) })?.program else {
            throw .unknownProgram(name)
        }
        program.unload()
        var document = JSONMembers(room: 512)
        program.status().write(&document)
        let fields: HTTPFields = [.contentType: "application/json", .cacheControl: "no-store"]
        return ServerResponse(HTTPResponse(status: .accepted, headerFields: fields), .bytes(document.end()))
    }
}

extension GatewayError {
    static func unknownProgram(_ name: String) -> GatewayError {
        .invalidRequest(
            404,
            "The gateway runs no program for an upstream '\(ShownName.text(name))'. GET /status/data lists upstreams "
                + "and their programs.",
            code: "program_not_found", parameter: "name", cause: .unknownResponse)
    }
}
