/// Waits of the judge. A correct response ends each of these waits early, except `wait` and `quiet`.
struct HTTPVectorWaits: Sendable {
    /// Longest wait for a required response. It is long, because a busy machine is not a fault.
    var answer: Duration = .seconds(5)
    /// Silence that counts as the outcome `wait`.
    var wait: Duration = .milliseconds(300)
    /// Longest wait for the end of a connection that the server must end.
    var close: Duration = .milliseconds(1_500)
    /// Silence after the last response that means that nothing follows.
    var quiet: Duration = .milliseconds(150)
    /// Longest wait for the response that must precede a part, if the part's own delay is shorter.
    var replyBeforePart: Duration = .seconds(2)
}
