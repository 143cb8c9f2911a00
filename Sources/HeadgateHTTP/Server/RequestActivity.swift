/// Counts requests in flight, from the choice of the upstream until the outcome. Called on every loop.
package protocol RequestActivity: AnyObject, Sendable {
    func begin(isStream: Bool)
    /// - Parameter outcome: borrowed, not to be changed.
    func end(_ outcome: inout Outcome)
}
