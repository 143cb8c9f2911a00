/// Receives every request's outcome, once. Called on every loop, and must not block.
package protocol OutcomeObserver: Sendable {
    /// - Parameter outcome: borrowed, not to be changed: copying it costs more than reading it.
    func observe(_ outcome: inout Outcome)
}
