/// What becomes of an upstream's answer when the client leaves before its end.
package enum OnDisconnect: String, Sendable, CaseIterable {
    /// The upstream's work ends at once.
    case cancel
    /// The answer is read to its end, for its usage.
    case drain
}
