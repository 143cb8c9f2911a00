internal import HTTPTypes
internal import HeadgateHTTP

/// `GET /status/data`: the status of the gateway, for admins.
struct StatusHandler: Sendable {
    let status: StatusBoard
    /// In the order of the configuration.
    let upstreams: [ObservedUpstream]
    let models: ModelTable
    let readiness: Readiness

    /// - Parameter now: monotonic nanoseconds.
    func response(to caller: ClientKey, at now: UInt64) throws(GatewayError) -> ServerResponse {
        guard caller.isAdmin else { throw .notForThisKey }
        let document = StatusDocument(
            startedAt: status.startedAt, now: Moment(realtime: status.now(), monotonic: now),
            isDraining: readiness.isDraining, upstreams: upstreams, models: models, history: status.history)
        let fields: HTTPFields = [.contentType: "application/json", .cacheControl: "no-store"]
        return ServerResponse(HTTPResponse(status: .ok, headerFields: fields), .bytes(document.json))
    }
}
