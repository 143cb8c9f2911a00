/// Waits until a condition holds, and leaves the processors to other work meanwhile.
///
/// While thousands of tests run, one suspension can take minutes: the timeout only keeps a run from lasting forever.
///
/// - Throws: ``TestFailure/timedOut(waitingFor:)`` after the timeout, so that no test waits forever; the condition's
///   errors; `CancellationError` if the test is cancelled, as by its time limit.
package func until(
    timeout: Duration = .seconds(600), file: StaticString = #fileID, line: UInt = #line,
    _ condition: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + timeout
    while try await !condition() {
        guard ContinuousClock.now < deadline else {
            throw TestFailure.timedOut(waitingFor: "the condition at \(file):\(line)")
        }
        try await Task.sleep(for: .milliseconds(5))
    }
}
