import HeadgateHTTP

/// A body that a test pushes, and that records the calls of its consumer.
final class ManualBody: BodySource {
    private(set) var calls: [String] = []
    private var sink: (any BodySink)?
    /// Called at the end of ``start(_:)`` and then released, because it can retain this body.
    var onStart: (() -> Void)?
    var bytesAreProgress = true

    func start(_ sink: any BodySink) {
        calls.append("start")
        self.sink = sink
        let onStart = onStart
        self.onStart = nil
        onStart?()
    }

    func send(_ text: String) { send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) { bytes.withUnsafeBytes { sink?.receive($0) } }

    func finish() {
        let sink = sink
        self.sink = nil
        sink?.finish(.complete)
    }

    func fail(_ kind: TransportError.Kind, _ detail: String = "") {
        let sink = sink
        self.sink = nil
        sink?.fail(TransportError(kind, detail))
    }

    func pause() { calls.append("pause") }
    func resume() { calls.append("resume") }
    func note(_ progress: BodyProgress) { calls.append("\(progress)") }

    func cancel() {
        calls.append("cancel")
        sink = nil
    }

    func discardRest() {
        calls.append("discardRest")
        sink = nil
    }
}
