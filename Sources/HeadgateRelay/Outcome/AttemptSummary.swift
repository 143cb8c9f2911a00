/// One of several attempts to get a request's response.
package struct AttemptSummary: Sendable {
    /// Result of an attempt with a response.
    package static let ok = "ok"

    package let upstream: String
    /// The upstream's name for the model; nil for the public name.
    package let model: String?
    /// Number of the upstream's key that it carried, from 1; nil if there is only one.
    package let key: Int?
    /// Code of its failure; nil for the attempt that has a response.
    package let error: String?
    /// Further detail of its failure, for the log.
    package var detail: String?
    /// Label of its failure in metrics, or `ok`; nil if nothing was sent.
    package let result: String?
    /// Nanoseconds until the failure, or until the response could be relayed.
    package let duration: UInt64
}
