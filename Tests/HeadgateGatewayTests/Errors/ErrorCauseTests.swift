import HTTPTypes
import HeadgateConfiguration
import HeadgateHTTP
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct ErrorCauseTests {
    typealias Row = (GatewayError.Cause, GatewayError.Origin, Outcome.End, RetryDecision)

    @Test(
        arguments: [
            (.invalidRequest, .downstream, .refused, .never), (.bodyTooLarge, .downstream, .refused, .never),
            (.contextOverflow, .downstream, .refused, .nextTarget), (.keyRefused, .downstream, .refused, .never),
            (.notAllowed, .downstream, .refused, .never), (.unknownRoute, .downstream, .refused, .never),
            (.unknownModel, .downstream, .refused, .never), (.unknownResponse, .downstream, .refused, .never),
            (.requestTimeout, .downstream, .timedOut, .never), (.cancelled, .downstream, .clientGone, .never),
            (.notRecorded, .gateway, .refused, .nextTarget), (.connect, .upstream, .upstreamFailed, .sameTarget),
            (.unreachable, .upstream, .upstreamFailed, .nextTarget),
            (.connectTimeout, .upstream, .upstreamFailed, .sameTarget),
            (.tls, .upstream, .upstreamFailed, .nextTarget), (.notReady, .upstream, .upstreamFailed, .sameTarget),
            (.unavailable, .upstream, .upstreamFailed, .nextTarget),
            (.responseTimeout, .upstream, .timedOut, .sameTarget), (.silenceTimeout, .upstream, .timedOut, .sameTarget),
            (.closedBeforeResponse, .upstream, .upstreamFailed, .sameTarget),
            (.truncatedBody, .upstream, .upstreamFailed, .sameTarget),
            (.quotaExhausted, .upstream, .upstreamFailed, .nextTarget),
            (.errorInSuccess, .upstream, .upstreamFailed, .sameTarget),
            (.emptyStream, .upstream, .upstreamFailed, .sameTarget),
            (.notStream, .upstream, .upstreamFailed, .nextTarget),
            (.contentType, .upstream, .upstreamFailed, .nextTarget),
            (.invalidJSON, .upstream, .upstreamFailed, .nextTarget), (.oversize, .upstream, .upstreamFailed, .never),
            (.noSummary, .upstream, .upstreamFailed, .never),
            (.encoding, .upstream, .upstreamFailed, .nextTarget),
            (.protocolViolation, .upstream, .upstreamFailed, .nextTarget), (.shutdown, .gateway, .refused, .never),
            (.connectionLimit, .gateway, .refused, .never), (.bodyMemory, .gateway, .refused, .never),
            (.storeFailed, .gateway, .refused, .never), (.gatewayFailed, .gateway, .refused, .never),
            (.middleware, .gateway, .refused, .never),
        ] as [Row])
    func everyCauseDecidesTheRest(
        _ cause: GatewayError.Cause, _ origin: GatewayError.Origin, _ end: Outcome.End, _ retry: RetryDecision
    ) {
        // Codes and messages do not matter.
        for (status, code) in [(408, "upstream_timeout"), (504, "rate_limit_exceeded"), (200, nil)] {
            let error = GatewayError(status, type: "t", code: code, message: "m", cause: cause)
            #expect(error.origin == origin && error.retry == retry)
            let record = RequestRecord { 0 }
            record.note(error)
            #expect(record.facts.decidedEnd == end && record.facts.isUpstreamsFault == (origin == .upstream))
        }
    }

    typealias State = (GatewayError.Cause, GatewayError.Cause.Verdict, [RetryableFault], isBeforeRequest: Bool)

    @Test(
        arguments: [
            (.contextOverflow, .works, [], false), (.untranslatable, .unknown, [], true),
            (.invalidRequest, .unknown, [], false), (.cancelled, .unknown, [], false),
            (.connect, .failed, [.connect], true), (.connectTimeout, .failed, [.connect], true),
            (.unreachable, .unreachable, [], true), (.tls, .failed, [], true),
            (.notReady, .unknown, [.connect], false), (.unavailable, .failed, [], false),
            (.noTarget, .unknown, [], false), (.responseTimeout, .failed, [.timeout], false),
            (.firstContentTimeout, .failed, [.timeout], false), (.totalTimeout, .unknown, [], false),
            (.closedBeforeResponse, .failed, [.connect], false), (.quotaExhausted, .works, [], false),
            (.errorInSuccess, .failed, [.stream], false), (.silenceTimeout, .failed, [.timeout], false),
            (.truncatedBody, .failed, [.stream], false), (.emptyStream, .failed, [.stream], false),
            (.notStream, .failed, [], false), (.contentType, .failed, [], false), (.invalidJSON, .failed, [], false),
            (.oversize, .works, [], false), (.encoding, .failed, [], false), (.protocolViolation, .failed, [], false),
            (.upstreamStatus(404), .works, [.status(404)], false),
            (.upstreamStatus(408), .failed, [.status(408)], false),
            (.upstreamStatus(503), .failed, [.status(503), .serverErrors], false),
            (.gatewayFailed, .unknown, [], false), (.notRecorded, .unknown, [], true),
        ] as [State])
    func failedAttemptShowsTheStateOfItsTarget(
        _ cause: GatewayError.Cause, _ verdict: GatewayError.Cause.Verdict, _ faults: [RetryableFault],
        _ isBeforeRequest: Bool
    ) {
        let consequences = cause.consequences
        #expect(consequences.verdict == verdict && consequences.faults == faults)
        #expect(consequences.isBeforeRequest == isBeforeRequest)
    }

    @Test func everyStatusOfAnUpstreamHasItsDecision() {
        let same = [408, 409, 425, 429] + Array(500...599)
        let next = [401, 402, 403, 404] + Array(300...399)
        for status in 300...599 {
            let cause = GatewayError.Cause.upstreamStatus(status)
            let decision: RetryDecision =
                same.contains(status) ? .sameTarget : next.contains(status) ? .nextTarget : .never
            #expect(cause.retry == decision && cause.end == .upstreamFailed, "\(status)")
        }
    }

    @Test(arguments: [
        (TransportError.Kind.notReady, GatewayError.Cause.notReady), (.busy, .busy), (.noKey, .truncatedBody),
        (.unavailable, .unavailable), (.connect, .truncatedBody), (.unreachable, .truncatedBody),
        (.connectTimeout, .truncatedBody), (.tls, .truncatedBody), (.encoding, .encoding),
        (.responseTimeout, .responseTimeout), (.silenceTimeout, .silenceTimeout),
        (.closedBeforeResponse, .truncatedBody), (.truncatedBody, .truncatedBody),
        (.protocolViolation, .protocolViolation), (.notRecorded, .truncatedBody), (.middleware, .middleware),
        (.cancelled, .cancelled),
    ])
    func everyTransportErrorHasItsCause(_ kind: TransportError.Kind, _ inside: GatewayError.Cause) {
        let before = GatewayError.transport(TransportError(kind), upstream: "up").cause
        #expect("\(before)" == "\(kind)", "both have one word for it")
        #expect(GatewayError.stream(TransportError(kind)).cause == inside)
    }

    // MARK: Errors of upstreams

    private func answered(_ status: Int, _ body: String) -> GatewayError {
        UpstreamErrorReading(upstream: "up", redaction: SecretRedaction(keys: []))
            .error(status: status, headerFields: [:], body: Array(body.utf8))
    }

    @Test func upstreamsStatusIsTheCauseWhateverItsMessage() {
        for status in [302, 400, 401, 403, 404, 429, 500, 529] {
            for body in ["", #"{"error":{"message":"m","code":"upstream_timeout"}}"#, #"{"detail":"m"}"#] {
                #expect(answered(status, body).cause == .upstreamStatus(status))
            }
        }
        let timeout = answered(504, #"{"error":{"message":"m","code":"upstream_timeout"}}"#)
        #expect(timeout.code == "upstream_timeout" && timeout.cause.end == .upstreamFailed)
    }

    @Test func emptyAccountAndLongPromptOverrideTheirStatus() {
        #expect(answered(429, #"{"error":{"message":"m","code":"insufficient_quota"}}"#).cause == .quotaExhausted)
        let overflow = answered(400, #"{"error":{"message":"m","type":"exceed_context_size_error"}}"#)
        #expect(overflow.cause == .contextOverflow && overflow.origin == .downstream)
    }

    @Test func gatewayErrorsHaveTheirCause() {
        #expect(GatewayError.syntax(.bodyTimeout).cause == .requestTimeout)
        #expect(GatewayError.syntax(.bodyTooLarge(limit: 1)).cause == .bodyTooLarge)
        #expect(GatewayError.syntax(.atConnectionLimit).cause == .connectionLimit)
        #expect(GatewayError.syntax(.incompleteBody).cause == .invalidRequest)
        #expect(GatewayError(TransportError(.cancelled)).cause == .cancelled)
        #expect(GatewayError(TransportError(.connect)).cause == .gatewayFailed)
    }
}
