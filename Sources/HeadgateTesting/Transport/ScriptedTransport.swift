package import HTTPTypes
package import HeadgateHTTP

/// A scripted upstream without sockets: the bytes of a reply go through the same codec as over a connection.
///
/// Without a clock every wait is over at once: delays are skipped, and a stall is its deadline passing.
package final class ScriptedTransport: ClientTransport, ObservedUpstream {
    package let observations = UpstreamObservations(isRecording: true)
    private let player: ScriptPlayer
    private let timing: ScriptedTiming

    /// - Parameters:
    ///   - clock: makes delays and deadlines happen when it is advanced, which must be done where the exchange runs.
    ///   - firstByteTimeout: the longest wait for a head.
    ///   - silenceTimeout: the longest wait for progress after it.
    package init(
        _ script: UpstreamScript, clock: ManualClock? = nil, firstByteTimeout: Duration = .seconds(60),
        silenceTimeout: Duration = .seconds(60)
    ) {
        player = ScriptPlayer(script, observations: observations)
        timing = ScriptedTiming(clock: clock, firstByteTimeout: firstByteTimeout, silenceTimeout: silenceTimeout)
    }

    package func send(
        _ request: HTTPRequest, body: HTTPBody?, baseURL: BaseURL, operationID: String
    ) async throws -> (HTTPResponse, HTTPBody?) {
        let content = try await body?.collect(upTo: .max) ?? []
        var headers = HeaderLines(["Host": request.authority ?? ""].map { (name: $0.key, value: $0.value) })
        for field in request.headerFields { headers.append(field.name.rawName, field.value) }
        let (received, reply) = player.receive(
            connection: observations.requests.count, method: request.method.rawValue, path: request.path ?? "/",
            headers: headers, body: content)
        let plan = ReplyPlan(reply, to: received, closes: false, date: "Thu, 01 Jan 1970 00:00:00 GMT")
        let source = ScriptedBodySource(plan, to: received, timing: timing, observations: observations)
        return (try await source.head(), .stream(source))
    }
}

/// The time of an exchange without sockets.
struct ScriptedTiming: Sendable {
    let clock: ManualClock?
    let firstByteTimeout: Duration
    let silenceTimeout: Duration
}
