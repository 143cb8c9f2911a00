internal import HeadgateHTTP

/// A request's body as a handler sees it: nothing is read from the client until somebody starts it.
final class RequestBodySource: BodySource {
    private weak var connection: HTTPConnection?
    private let exchange: HTTPExchange
    /// A request body has an absolute deadline, kept by the connection.
    var bytesAreProgress = true

    init(connection: HTTPConnection, exchange: HTTPExchange) {
        self.connection = connection
        self.exchange = exchange
    }

    func takeWhole() -> [UInt8]? { connection?.takeWholeBody(of: exchange) }

    func start(_ sink: any BodySink) {
        guard let connection else { return sink.fail(HTTPSyntaxError.incompleteBody) }
        connection.startBody(of: exchange, sink: sink)
    }

    func pause() { connection?.pauseInput() }
    func resume() { connection?.resumeInput() }
    func cancel() { exchange.bodySink = nil }
    func discardRest() { cancel() }
    func noteProgress() {}
}
