/// Schedule of retries after a failed move of an old file's requests.
///
/// An attempt reads and writes all of them, and usually fails for the same reason, so each pause is twice as long as
/// the previous one. The reason is reported meanwhile. Pure.
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

    /// Returns why it is not tried now; nil if it is.
    ///
    /// - Parameter file: the current file. A different one is tried at once.
    func reason(of file: FileIdentity?, at now: ContinuousClock.Instant) -> StoreError? {
        guard let failure, failure.file == file, now < failure.end else { return nil }
        return failure.error
    }

    /// It was tried.
    ///
    /// - Parameter now: when that has ended.
    mutating func note(_ error: StoreError, of file: FileIdentity?, at now: ContinuousClock.Instant) {
        let last = failure.flatMap { $0.file == file ? $0.pause : nil }
        let pause = last.map { min($0 * 2, MoveRetry.longestPause) } ?? MoveRetry.firstPause
        failure = Failure(error: error, file: file, pause: pause, end: now.advanced(by: pause))
    }
}
