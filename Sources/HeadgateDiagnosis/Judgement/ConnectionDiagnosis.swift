/// The findings of the first requests: the connection, the server, and whether the key is accepted.
package enum ConnectionDiagnosis {
    /// Checks whether the address can be reached.
    ///
    /// - Parameters:
    ///   - address: The address as the user wrote it.
    ///   - isInTheClear: Whether keys and prompts cross networks without encryption.
    package static func reachable(
        _ response: Result<WholeObservation, ExchangeFailure>, at address: String, isInTheClear: Bool = false
    ) -> Finding {
        switch response {
        case .success(let response):
            let measured = "\(address) answers after \(Clock.text(response.endAt))"
            let figures = [Finding.Figure("answer_ms", nanoseconds: response.endAt)]
            guard isInTheClear else { return Finding(.reachable, .ok, measured, figures: figures) }
            return Finding(
                .reachable, .warning, measured + ", without TLS",
                advice: "Keys and prompts travel in the clear: use https beyond this machine.", figures: figures)
        case .failure(let failure):
            let detail = failure.detail.isEmpty ? "" : ": \(failure.detail)"
            switch failure.stage {
            case .connect:
                return Finding(
                    .reachable, .failed, "no connection to \(address)\(detail)",
                    advice: "Start the gateway ('headgate serve'), or name where it is with --url.")
            case .tls:
                return Finding(
                    .reachable, .failed, "no TLS with \(address)\(detail)",
                    advice:
                        "Use the name that the certificate is for; name an authority of your own with "
                        + "SSL_CERT_FILE=file."
                )
            case .silence:
                return Finding(
                    .reachable, .failed, "\(address) took the connection and says nothing\(detail)",
                    advice: "Is it http where https is spoken, or a proxy whose gateway is gone?")
            case .answer:
                return Finding(
                    .reachable, .failed, "\(address) does not answer in HTTP/1.1\(detail)",
                    advice: "Is it another service, or https where http is spoken?")
            }
        }
    }

    /// Checks whether the server is a gateway.
    ///
    /// - Parameters:
    ///   - liveness: The response of `/livez`.
    ///   - document: The response of `/openapi.json`.
    package static func gateway(liveness: WholeObservation, document: WholeObservation?) -> Finding {
        if let version = document?.gatewayVersion { return Finding(.gateway, .ok, "Headgate \(version)") }
        guard liveness.status == 200, liveness.body == Array(#"{"status":"ok"}"#.utf8) else {
            return Finding(
                .gateway, .warning, "GET /livez answers \(liveness.status), not as a Headgate does",
                advice:
                    "If a proxy passes only /v1 on, this is as it should be; without one, another program listens here."
            )
        }
        return Finding(
            .gateway, .warning, "alive, of unknown version",
            advice: "The proxy does not pass /openapi.json on; let it pass everything.")
    }

    package static func ready(_ response: WholeObservation, gateway: Finding) -> Finding {
        let isOurs = response.status == 200 && response.body == Array(#"{"status":"ok"}"#.utf8)
        if isOurs { return Finding(.ready, .ok, "GET /readyz answers 200") }
        // The proxy passes only paths in /v1 on.
        if gateway.verdict != .ok { return .skipped(.ready, "GET /readyz answers \(response.status)") }
        guard response.status != 200 else {
            return Finding(
                .ready, .warning, "GET /readyz answers 200, not as a Headgate does",
                advice: "The proxy answers in the gateway's place: let it pass this path on, too.")
        }
        return Finding(
            .ready, .failed, "GET /readyz answers \(response.status)",
            advice: "The gateway is shutting down: wait for its next start.")
    }

    /// Compares the server's clock with ours.
    ///
    /// - Parameters:
    ///   - server: The time in the response's `Date` field, if it has one, in seconds since 1970.
    ///   - ours: The time of this machine, in seconds since 1970.
    package static func clock(server: Int64?, ours: Int64) -> Finding {
        guard let server else { return .skipped(.clock, "the answer has no Date") }
        let difference = server - ours
        let figures = [Finding.Figure("ahead_s", Double(difference))]
        guard abs(difference) > 30 else { return Finding(.clock, .ok, "within 30 s", figures: figures) }
        let way = difference > 0 ? "ahead of" : "behind"
        return Finding(
            .clock, .warning, "its clock is \(abs(difference)) s \(way) ours", advice: "Set both by a time server.",
            figures: figures)
    }

    /// Checks whether the key is accepted.
    ///
    /// - Parameters:
    ///   - response: The response to a request for the list of models with the key.
    ///   - hasKey: Whether there was a key to send.
    package static func key(_ response: WholeObservation, hasKey: Bool) -> Finding {
        switch response.status {
        case 200: return Finding(.key, .ok, hasKey ? "the key is accepted" : "no key is asked for")
        case 401, 403:
            let words = response.errorText.map { ": \($0)" } ?? ""
            return Finding(
                .key, .failed,
                "\(hasKey ? "the key is" : "a request without a key is") refused with \(response.status)\(words)",
                advice: hasKey
                    ? "Is it a key of this gateway ('headgate key show', or one of 'keys:'), and not expired?"
                    : "Give the gateway's key in HEADGATE_KEY, or a file with it in --key-file.")
        default:
            let words = response.errorText.map { ": \($0)" } ?? ""
            return Finding(
                .key, .failed, "GET /v1/models answers \(response.status)\(words)",
                advice: response.status >= 500
                    ? "A proxy that does not reach its gateway answers so: look at its log."
                    : "Does the address, with /v1 behind it, lead to the gateway?")
        }
    }

    /// Checks whether an invalid key is rejected.
    ///
    /// - Parameters:
    ///   - response: The response to a request for the list of models with an invalid key.
    ///   - isLocal: Whether the address can only be reached from this machine.
    package static func wrongKey(_ response: WholeObservation, isLocal: Bool) -> Finding {
        if response.status == 401 { return Finding(.wrongKey, .ok, "a wrong key gets 401") }
        guard response.status == 200 else {
            return Finding(
                .wrongKey, .warning, "a wrong key gets \(response.status), where 401 is usual",
                advice: "Does the proxy replace error answers? Apps tell a wrong key by its 401.")
        }
        if isLocal {
            return Finding(.wrongKey, .ok, "any key is taken: the gateway asks nobody on this machine for one")
        }
        return Finding(
            .wrongKey, .failed, "any key is taken, at an address that others may reach",
            advice: "Configure 'keys:', and check that the proxy does not put a key of its own on.")
    }

    package static func models(_ response: WholeObservation) -> Finding {
        guard let names = response.modelNames else {
            return Finding(
                .models, .failed, "GET /v1/models does not answer with a list",
                advice: "Does the address, with /v1 behind it, lead to the gateway?")
        }
        let figures = [Finding.Figure("models", Double(names.count))]
        guard !names.isEmpty else {
            return Finding(
                .models, .warning, "none: only patterns are configured",
                advice: "Apps show an empty picker: list the models by name. Name one to test with --model.",
                figures: figures)
        }
        let shown = names.prefix(5).joined(separator: ", ") + (names.count > 5 ? ", ..." : "")
        return Finding(.models, .ok, "\(names.count): \(shown)", figures: figures)
    }
}
