/// Waits until something holds. Whoever waits leaves the processors to what is waited for.
///
/// - Throws: what the condition throws, and when the test is cancelled, as by its time limit.
package func until(_ condition: () async throws -> Bool) async throws {
    while try await !condition() { try await Task.sleep(for: .milliseconds(5)) }
}
