/// Schedule of retries after a failed move of an old file's requests. Pure.
///
/// An attempt reads and writes all requests, and usually fails for the same reason, so each pause is twice as long as
/// the previous one. Until the next attempt, the reason of the last failure is reported.
struct MoveRetry {
    static let firstPause = Duration.seconds(1)
    static let longestPause = Duration.seconds(60)

    private struct Failure {
        let error: StoreError
        let file: FileIdentity?
        let pause: Duration
        let end: ContinuousClock.Instant
    }

    private var failure: Failure?

    /// Returns the reason of the last failure until a retry is due; nil if the move can be tried now.
    ///
    /// - Parameter file: the current file. A different one is tried at once.
    func reason(of file: FileIdentity?, at now: ContinuousClock.Instant) -> StoreError? {
        guard let failure, failure.file == file, now < failure.end else { return nil }
        return failure.error
    }

    /// Records a failed attempt.
    ///
    /// - Parameter now: the end of the attempt.
    mutating func note(_ error: StoreError, of file: FileIdentity?, at now: ContinuousClock.Instant) {
        let last = failure.flatMap { $0.file == file ? $0.pause : nil }
        let pause = last.map { min($0 * 2, MoveRetry.longestPause) } ?? MoveRetry.firstPause
        failure = Failure(error: error, file: file, pause: pause, end: now.advanced(by: pause))
    }
}
