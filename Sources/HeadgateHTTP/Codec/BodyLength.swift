/// How the body that follows a head is delimited.
package enum BodyLength: Equatable, Sendable {
    case fixed(Int)
    case chunked
    /// By the end of the connection (responses only).
    case untilEnd
}
