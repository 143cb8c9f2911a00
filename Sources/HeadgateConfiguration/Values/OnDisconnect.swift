/// What becomes of an upstream's answer when the client leaves before its end.
package enum OnDisconnect: String, Sendable, CaseIterable {
    /// The upstream's work ends at once.
    case cancel
    /// The answer is read to its end, for its usage.
    case drain
    /// A stream goes on into a buffer, from which its client has the rest when it is back.
    case detach
}
