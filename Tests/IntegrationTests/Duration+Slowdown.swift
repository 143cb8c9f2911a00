import Foundation

extension Duration {
    /// A bound on work, as many times wider as `HEADGATE_TEST_SLOWDOWN` says. Tests/Sanitizers/run sets it: what a
    /// sanitizer adds to each access to memory is not the gateway's work.
    var whenSanitized: Duration { self * Duration.slowdown }

    private static let slowdown = Int(ProcessInfo.processInfo.environment["HEADGATE_TEST_SLOWDOWN"] ?? "") ?? 1
}
