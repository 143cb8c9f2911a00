internal import HeadgateConfiguration
internal import HeadgateHTTP

extension GatewayError.Cause {
    /// Everything that the gateway decides by a cause. The table below is its only definition.
    struct Consequences {
        /// Side at fault.
        let origin: GatewayError.Origin
        /// End of the request in its outcome.
        let end: RequestEnd
        /// Whether another attempt can help.
        let retry: RetryDecision
        /// State of the target that a failed attempt indicates.
        let verdict: Verdict
        /// Faults of `retry: {on: ...}` that include the cause.
        var faults: [RetryableFault] = []
        /// Whether the failure precedes sending any of the request.
        var isBeforeRequest = false

        static func downstream(
            _ end: RequestEnd = .refused, _ retry: RetryDecision = .never, _ verdict: Verdict = .unknown,
            isBeforeRequest: Bool = false
        ) -> Consequences {
            Consequences(
                origin: .downstream, end: end, retry: retry, verdict: verdict, isBeforeRequest: isBeforeRequest)
        }

        static func upstream(
            _ retry: RetryDecision, _ verdict: Verdict, _ faults: [RetryableFault] = [],
            end: RequestEnd = .upstreamFailed, isBeforeRequest: Bool = false
        ) -> Consequences {
            Consequences(
                origin: .upstream, end: end, retry: retry, verdict: verdict, faults: faults,
                isBeforeRequest: isBeforeRequest)
        }

        static func gateway(_ retry: RetryDecision = .never, isBeforeRequest: Bool = false) -> Consequences {
            Consequences(
                origin: .gateway, end: .refused, retry: retry, verdict: .unknown, isBeforeRequest: isBeforeRequest)
        }
    }

    enum Verdict { case works, failed, unreachable, unknown }

    var consequences: Consequences {
        switch self {
        // The caller's request.
        case .invalidRequest: .downstream()
        case .untranslatable: .downstream(.refused, .nextTarget, isBeforeRequest: true)
        case .bodyTooLarge: .downstream()
        case .contextOverflow: .downstream(.refused, .nextTarget, .works)
        case .keyRefused: .downstream()
        case .notAllowed: .downstream()
        case .limitReached: .downstream()
        case .unknownRoute: .downstream()
        case .unknownModel: .downstream()
        case .unknownResponse: .downstream()
        case .requestTimeout: .downstream(.timedOut)
        case .cancelled: .downstream(.clientGone)
        // Reaching the upstream.
        case .connect: .upstream(.sameTarget, .failed, [.connect], isBeforeRequest: true)
        case .unreachable: .upstream(.nextTarget, .unreachable, isBeforeRequest: true)
        case .connectTimeout: .upstream(.sameTarget, .failed, [.connect], isBeforeRequest: true)
        case .tls: .upstream(.nextTarget, .failed, isBeforeRequest: true)
        case .notReady: .upstream(.sameTarget, .unknown, [.connect])
        case .busy: .upstream(.nextTarget, .unknown, isBeforeRequest: true)
        case .noKey: .upstream(.nextTarget, .unknown, isBeforeRequest: true)
        case .unavailable: .upstream(.nextTarget, .failed)
        case .noTarget: .upstream(.never, .unknown)
        // The upstream's response.
        case .responseTimeout: .upstream(.sameTarget, .failed, [.timeout], end: .timedOut)
        case .firstContentTimeout: .upstream(.sameTarget, .failed, [.timeout], end: .timedOut)
        case .totalTimeout: .upstream(.never, .unknown, end: .timedOut)
        case .closedBeforeResponse: .upstream(.sameTarget, .failed, [.connect])
        case .upstreamStatus(let status): .upstreamStatus(status)
        case .quotaExhausted: .upstream(.nextTarget, .works)
        case .errorInSuccess: .upstream(.sameTarget, .failed, [.stream])
        case .silenceTimeout: .upstream(.sameTarget, .failed, [.timeout], end: .timedOut)
        case .truncatedBody: .upstream(.sameTarget, .failed, [.stream])
        case .emptyStream: .upstream(.sameTarget, .failed, [.stream])
        case .notStream: .upstream(.nextTarget, .failed)
        case .contentType: .upstream(.nextTarget, .failed)
        case .invalidJSON: .upstream(.nextTarget, .failed)
        case .oversize: .upstream(.never, .works)
        case .noSummary: .upstream(.never, .works)
        case .encoding: .upstream(.nextTarget, .failed)
        case .protocolViolation: .upstream(.nextTarget, .failed)
        // The gateway.
        case .shutdown: .gateway()
        case .connectionLimit: .gateway()
        case .overloaded: .gateway()
        case .bodyMemory: .gateway()
        case .storeFailed: .gateway()
        case .gatewayFailed: .gateway()
        case .middleware: .gateway()
        case .notRecorded: .gateway(.nextTarget, isBeforeRequest: true)
        }
    }
}

extension GatewayError.Cause.Consequences {
    /// - Parameter status: the status of the upstream, not a success.
    fileprivate static func upstreamStatus(_ status: UInt16) -> GatewayError.Cause.Consequences {
        let isFailure = status >= 500 || status == 408
        return .upstream(
            RetryDecision(upstreamStatus: status), isFailure ? .failed : .works,
            [.status(Int(status))] + (status >= 500 ? [.serverErrors] : []))
    }
}
