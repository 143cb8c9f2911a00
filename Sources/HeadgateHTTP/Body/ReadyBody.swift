/// A whole body as a source: one chunk.
final class ReadyBody: BodySource {
    private var bytes: [UInt8]
    private var isLeft = false
    var bytesAreProgress = true

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func takeWhole() -> [UInt8]? { bytes }

    func start(_ sink: any BodySink) {
        let whole = bytes
        bytes = []
        if !whole.isEmpty { whole.withUnsafeBytes { sink.receive($0) } }
        if !isLeft { sink.finish(.complete) }
    }

    func pause() {}
    func resume() {}
    func note(_: BodyProgress) {}
    func discardRest() { cancel() }
    func cancel() { isLeft = true }
}
