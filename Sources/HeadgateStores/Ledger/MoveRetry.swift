/// When the move of an old file's requests is tried again after it has failed.
///
/// A try reads and writes all of them, and mostly fails for the same reason: each pause is twice as long as the one
/// before. Until it is over the reason stands. Pure.
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

    /// Why it is not tried now; nil where it is.
    ///
    /// - Parameter file: the one that is there. Another one is tried at once.
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
