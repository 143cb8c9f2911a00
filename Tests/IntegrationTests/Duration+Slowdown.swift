import Foundation

extension Duration {
    /// A bound on work, multiplied by `HEADGATE_TEST_SLOWDOWN`. Tests/Sanitizers/run sets it, because a sanitizer's
    /// overhead is not the gateway's work.
    var whenSanitized: Duration { self * Duration.slowdown }

    private static let slowdown = Int(ProcessInfo.processInfo.environment["HEADGATE_TEST_SLOWDOWN"] ?? "") ?? 1
}
