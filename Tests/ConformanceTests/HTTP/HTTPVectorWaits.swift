/// How long the judge waits. A correct response ends each of these waits early, except `wait` and `quiet`.
struct HTTPVectorWaits: Sendable {
    /// For an answer that has to come. Long: a busy machine is not a fault.
    var answer: Duration = .seconds(5)
    /// Silence this long is the outcome `wait`.
    var wait: Duration = .milliseconds(300)
    /// For the end of a connection that the server has to end.
    var close: Duration = .milliseconds(1_500)
    /// Silence this long after the last answer means that nothing follows.
    var quiet: Duration = .milliseconds(150)
    /// For the answer that has to come before a part is sent, when its own delay is shorter.
    var replyBeforePart: Duration = .seconds(2)
}
