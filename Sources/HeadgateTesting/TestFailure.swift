/// The reason why a wait or an exchange of the test support failed.
package enum TestFailure: Error, Equatable, CustomStringConvertible {
    case timedOut(waitingFor: String)
    case connect(String)
    /// The peer reset the connection, or it broke in another way. The text is the system's message.
    case reset(String)
    /// The connection ended inside a message.
    case truncated
    /// The connection ended before the head was complete.
    case closedBeforeResponse
    /// The bytes are not a response; the text is the codec's explanation.
    case notHTTP(String)
    case listen(String)
    /// The failure concerns a file or folder of the test.
    case file(String)

    package var description: String {
        switch self {
        case .timedOut(let what): "timed out waiting for \(what)"
        case .connect(let reason): "cannot connect: \(reason)"
        case .reset(let reason): "the connection broke: \(reason)"
        case .truncated: "the connection ended inside the body"
        case .closedBeforeResponse: "the connection ended before the response's head was complete"
        case .notHTTP(let explanation): "not an HTTP response: \(explanation)"
        case .listen(let reason): "cannot listen: \(reason)"
        case .file(let reason): reason
        }
    }
}
