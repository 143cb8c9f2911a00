internal import HTTPTypes
internal import HeadgateHTTP

/// `GET /status/data`: the status of the gateway, for admins.
struct StatusHandler: Sendable {
    let status: StatusBoard
    /// In the order of the configuration.
    let upstreams: [Upstream]
    let readiness: Readiness

    func response(to caller: ClientKey) throws(GatewayError) -> ServerResponse {
        guard caller.isAdmin else { throw .notForThisKey }
        let document = StatusDocument(
            startedAt: status.startedAt, now: status.now(), isDraining: readiness.isDraining, upstreams: upstreams,
            history: status.history)
        let fields: HTTPFields = [.contentType: "application/json", .cacheControl: "no-store"]
        return ServerResponse(HTTPResponse(status: .ok, headerFields: fields), .bytes(document.json))
    }
}
