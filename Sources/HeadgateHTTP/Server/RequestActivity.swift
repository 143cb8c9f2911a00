/// Counts what is under way, from when a request is known to go somewhere until its outcome. Called on every loop.
package protocol RequestActivity: AnyObject, Sendable {
    func begin(isStream: Bool)
    /// - Parameter outcome: lent, not to be changed.
    func end(_ outcome: inout Outcome)
}
