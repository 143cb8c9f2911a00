import CHeadgate
import HeadgateDiagnosis

/// Disconnects in the middle of a response, and checks whether the gateway noticed.
struct CancellationProbe {
    let client: DoctorClient
    /// Client for the gateway itself.
    let witness: DoctorClient

    private static let interval: Duration = .milliseconds(50)

    func run(_ chosen: ModelSearch.Choice) async -> Finding {
        switch await client.stream(chosen.probe(.story), until: .firstEvent) {
        case .failure(let failure):
            return ExchangeDiagnosis.cancellation(.broken(failure.detail))
        case .success(let stream):
            if let early = ExchangeDiagnosis.Cancellation(before: stream) {
                return ExchangeDiagnosis.cancellation(early)
            }
            guard let id = stream.fields["x-request-id"] else {
                return ExchangeDiagnosis.cancellation(await checkingGateway(.unnamed))
            }
            return ExchangeDiagnosis.cancellation(await outcome(ofRequest: id))
        }
    }

    private func outcome(ofRequest id: String) async -> ExchangeDiagnosis.Cancellation {
        let start = headgate_monotonic_nanoseconds()
        var watch = CancellationWatch()
        while true {
            let askedAt = headgate_monotonic_nanoseconds() - start
            let answer = await witness.ask("/status/data")
            let respondedAt = headgate_monotonic_nanoseconds() - start
            guard case .success(let status) = answer, let account = status.account(ofRequest: id) else {
                return await checkingGateway(.survived)
            }
            if let found = watch.read(account, askedAt: askedAt, respondedAt: respondedAt) { return found }
            try? await Task.sleep(for: CancellationProbe.interval)
        }
    }

    /// Checks that the gateway responds at least, although it has no record of the request.
    private func checkingGateway(_ verdict: ExchangeDiagnosis.Cancellation) async -> ExchangeDiagnosis.Cancellation {
        switch await client.ask("/v1/models") {
        case .success: verdict
        case .failure(let failure): .failed(failure)
        }
    }
}
