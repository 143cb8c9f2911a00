import CHeadgate
import HeadgateDiagnosis

/// Leaves in the middle of an answer, and asks the gateway whether it has noticed.
struct CancellationProbe {
    let client: DoctorClient
    /// Who is asked.
    let witness: DoctorClient

    private static let patience: UInt64 = 3_000_000_000
    private static let interval: Duration = .milliseconds(50)

    func run(_ chosen: ModelSearch.Choice) async -> Finding {
        switch await client.stream(chosen.probe(.story), until: .firstEvent) {
        case .failure(let failure): return ExchangeDiagnosis.cancellation(.failed(failure))
        case .success(let stream):
            guard stream.end == .abandoned else { return ExchangeDiagnosis.cancellation(.tooShort) }
            return ExchangeDiagnosis.cancellation(await outcome(ofRequest: stream.fields["x-request-id"]))
        }
    }

    private func outcome(ofRequest id: String?) async -> ExchangeDiagnosis.Cancellation {
        let start = headgate_monotonic_nanoseconds()
        while true {
            let answer = await witness.ask("/status/data")
            let elapsed = headgate_monotonic_nanoseconds() - start
            guard case .success(let status) = answer, status.status == 200, let id else { return await survival() }
            switch status.outcome(ofRequest: id) {
            case "client_gone"?: return .noticed(after: elapsed)
            // It was already writing its end.
            case _? where elapsed < 250_000_000: return .tooShort
            case _?: return .unnoticed(after: elapsed)
            case nil where elapsed > CancellationProbe.patience: return .unnoticed(after: elapsed)
            case nil: try? await Task.sleep(for: CancellationProbe.interval)
            }
        }
    }

    /// Where the gateway does not tell us, it must at least answer.
    private func survival() async -> ExchangeDiagnosis.Cancellation {
        switch await client.ask("/v1/models") {
        case .success: .survived
        case .failure(let failure): .failed(failure)
        }
    }
}
