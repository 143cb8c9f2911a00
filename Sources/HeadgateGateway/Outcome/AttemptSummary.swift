/// One of several attempts to get a request's response.
struct AttemptSummary: Sendable {
    /// Result of an attempt with a response.
    static let ok = "ok"

    let upstream: String
    /// The upstream's name for the model; nil for the public name.
    let model: String?
    /// Number of the upstream's key that it carried, from 1; nil if there is only one.
    let key: Int?
    /// Code of its failure; nil for the attempt that has a response.
    let error: String?
    /// Further detail of its failure, for the log.
    var detail: String?
    /// Label of its failure in metrics, or `ok`; nil if nothing was sent.
    let result: String?
    /// Nanoseconds until the failure, or until the response could be relayed.
    let duration: UInt64
}
