internal import HTTPTypes
internal import HeadgateHTTP
internal import HeadgateRelay

/// Handler of `GET /status/data`: the status of the gateway, for admins.
struct StatusHandler: Sendable {
    let status: StatusBoard
    /// Upstreams in the order of the configuration.
    let upstreams: [ObservedUpstream]
    let models: ModelTable
    let budgets: BudgetOverview
    let readiness: Readiness

    /// - Parameter now: monotonic nanoseconds.
    func response(to caller: ClientKey, at now: UInt64) throws(GatewayError) -> ServerResponse {
        guard caller.isAdmin else { throw .notForThisKey }
        let moment = Moment(realtime: status.now(), monotonic: now)
        let document = StatusDocument(
            startedAt: status.startedAt, now: moment, isDraining: readiness.isDraining, upstreams: upstreams,
            models: models, budgets: budgets.uses(at: moment.realtime / 1_000_000_000), history: status.history)
        let fields: HTTPFields = [.contentType: "application/json", .cacheControl: "no-store"]
        return ServerResponse(HTTPResponse(status: .ok, headerFields: fields), .bytes(document.json))
    }
}
