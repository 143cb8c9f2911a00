/// One of several attempts to get a request's response.
struct AttemptSummary: Sendable {
    /// The result of one with a response.
    static let ok = "ok"

    let upstream: String
    /// The upstream's name for the model; nil for the public name.
    let model: String?
    /// Which of the upstream's keys it carried, from 1; nil where there is only one.
    let key: Int?
    /// The code of its failure; nil for the one that has a response.
    let error: String?
    /// What is known of its failure besides, for the log.
    var detail: String?
    /// What metrics call its failure, or `ok`; nil where nothing was sent.
    let result: String?
    /// Nanoseconds, until the failure or until the response could be relayed.
    let duration: UInt64
}
