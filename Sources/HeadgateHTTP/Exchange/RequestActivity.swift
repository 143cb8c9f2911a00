/// Counts what is under way, from when a request is known to go somewhere until its outcome. Called on every loop.
package protocol RequestActivity: AnyObject, Sendable {
    /// - Parameter facts: what is known so far.
    func begin(_ facts: borrowing Outcome)
    func end(_ outcome: borrowing Outcome)
}
