/// Waits until a condition holds, and lets other work run in the meantime.
///
/// While thousands of tests run, one suspension can take minutes. The timeout only prevents a run from lasting forever.
///
/// - Throws: ``TestFailure/timedOut(waitingFor:)`` after the timeout; the condition's errors; `CancellationError` if
///   the test is canceled, for example by its time limit.
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
