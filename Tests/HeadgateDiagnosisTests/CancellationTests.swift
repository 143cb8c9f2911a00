import Testing

@testable import HeadgateDiagnosis

struct CancellationTests {
    private typealias Cancellation = ExchangeDiagnosis.Cancellation

    /// Returns the verdict after readings of the request's state at these milliseconds.
    private func watch(
        _ accounts: [(at: UInt64, GatewayAccount)], roundTrip: UInt64 = 1
    ) -> ExchangeDiagnosis.Cancellation? {
        var watch = CancellationWatch()
        for (at, account) in accounts {
            let found = watch.read(
                account, askedAt: at * 1_000_000, respondedAt: (at + roundTrip) * 1_000_000)
            if let found { return found }
        }
        return nil
    }

    private let away = GatewayAccount(startedAt: "a")
    private let busy = GatewayAccount(startedAt: "a", streamsInFlight: 1)

    private func ended(_ outcome: String, at gateway: String = "a") -> GatewayAccount {
        GatewayAccount(startedAt: gateway, outcome: outcome)
    }

    @Test func requestIsFoundByItsIDInAGatewaysAccount() {
        func status(_ body: String, status: Int = 200) -> WholeObservation {
            WholeObservation(status: status, body: Array(body.utf8), endAt: 1)
        }
        let account = status(
            #"{"version":"0.1.0","started_at":"2026","streams_in_flight":3,"#
                + #""recent":[{"id":"a","outcome":"finished"},{"id":"b","outcome":"client_gone"}]}"#)
        #expect(
            account.account(ofRequest: "b")
                == GatewayAccount(startedAt: "2026", streamsInFlight: 3, outcome: "client_gone"))
        #expect(
            account.account(ofRequest: "c") == GatewayAccount(startedAt: "2026", streamsInFlight: 3, outcome: nil))
        #expect(status(#"{"error":{}}"#, status: 403).account(ofRequest: "b") == nil)
        #expect(status(#"{"hello":1}"#).account(ofRequest: "b") == nil)
        #expect(status("<html>").account(ofRequest: "b") == nil)
    }

    @Test func recordedDisconnectWasNoticed() {
        #expect(watch([(0, busy), (50, ended("client_gone"))]) == .noticed(after: 51_000_000))
    }

    @Test func streamLeftInFlightIsAnUnnoticedCancellation() {
        #expect(watch([(0, busy), (1500, busy)]) == nil)
        #expect(watch([(0, busy), (1500, busy), (3000, busy)]) == .unnoticed(after: 3_001_000_000))
    }

    @Test func requestWithoutEvidenceIsNotJudged() {
        // Another gateway has the request.
        #expect(watch([(0, away), (3000, away)]) == .unknown)
        let other = GatewayAccount(startedAt: "b", streamsInFlight: 1)
        #expect(watch([(0, busy), (50, other), (3000, busy)]) == .unknown)
    }

    @Test func accountsOfSeveralGatewaysAreReadUntilOneHasIt() {
        #expect(watch([(0, ended("client_gone", at: "b"))]) == .noticed(after: 1_000_000))
        #expect(watch([(0, away), (50, ended("client_gone", at: "b"))]) == .noticed(after: 51_000_000))
    }

    @Test func completedResponseIsAnUnnoticedCancellation() {
        #expect(watch([(0, busy), (600, busy), (650, ended("finished"))]) == .unnoticed(after: 600_000_000))
    }

    @Test func endingResponseIsNotJudged() {
        #expect(watch([(0, ended("finished"))]) == .tooShort)
        #expect(watch([(0, busy), (50, ended("finished"))]) == .tooShort)
        // The round trip is slow, or readings come from different gateways in turn.
        #expect(watch([(0, ended("finished"))], roundTrip: 900) == .tooShort)
        #expect(watch([(0, busy), (600, busy), (1300, ended("finished"))], roundTrip: 500) == .tooShort)
        #expect(watch([(0, away), (600, away), (650, ended("finished", at: "b"))]) == .tooShort)
    }

    @Test(arguments: ["upstream_failed", "timed_out", "drained", "refused"])
    func otherEndsDoNotShowACancellation(outcome: String) {
        let found = watch([(0, busy), (1000, ended(outcome))])
        #expect(found == .ended(outcome))
        #expect(found.map(ExchangeDiagnosis.cancellation)?.verdict == .skipped)
    }

    @Test func streamThatEndedBeforeItsCancellationHasAVerdict() {
        func before(_ status: Int, _ end: StreamObservation.End, _ body: String = "") -> Finding? {
            let observed = stream([(5, Array(body.utf8))], status: status, end: end)
            return Cancellation(before: observed).map(ExchangeDiagnosis.cancellation)
        }
        let limited = before(429, .complete, #"{"error":{"message":"Slower."}}"#)
        #expect(limited?.verdict == .skipped)
        #expect(limited?.measured == "the stream that was to be cancelled was refused with 429: Slower.")
        #expect(before(502, .complete)?.verdict == .failed)
        #expect(before(200, .broken("reset"))?.measured == "the stream broke before it could be cancelled: reset")
        #expect(before(200, .broken("reset"))?.verdict == .failed)
        #expect(before(200, .complete)?.verdict == .skipped)
        #expect(before(200, .abandoned) == nil)
    }

    @Test func unnoticedCancellationFails() {
        #expect(ExchangeDiagnosis.cancellation(.unnoticed(after: 3_000_000_000)).verdict == .failed)
        #expect(
            ExchangeDiagnosis.cancellation(.noticed(after: 3_000_000)).measured == "the gateway noticed within 3.0 ms")
        #expect(ExchangeDiagnosis.cancellation(.survived).verdict == .ok)
        #expect(ExchangeDiagnosis.cancellation(.unnamed).verdict == .ok)
        #expect(ExchangeDiagnosis.cancellation(.unknown).verdict == .skipped)
    }
}
