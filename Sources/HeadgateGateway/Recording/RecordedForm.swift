internal import HeadgateHTTP
internal import HeadgateRelay

/// Reader of a whole form, so that its recording can be looked up. Loop-confined.
final class RecordedForm: Cancellable, BodySink {
    typealias Completion = (Result<[UInt8], TransportError>, RecordingAllowance) -> (any Cancellable)?

    private let source: any BodySource
    private let allowance: RecordingAllowance
    private var bytes: [UInt8] = []
    private var completion: Completion?
    /// Call that follows the form.
    private var next: (any Cancellable)?
    private var isCancelled = false

    /// - Parameter allowance: covers the bytes that are read.
    init(_ form: StreamedBody, within allowance: RecordingAllowance) {
        source = form.source
        self.allowance = allowance
    }

    /// - Parameter completion: called once, possibly before this returns. Returns a handle that cancels the call that
    ///   follows.
    func start(_ completion: @escaping Completion) {
        self.completion = completion
        source.start(self)
    }

    func cancel() {
        isCancelled = true
        if completion != nil { source.cancel() }
        complete(.failure(TransportError(.cancelled)))
        let next = next
        self.next = nil
        next?.cancel()
    }

    private func complete(_ result: Result<[UInt8], TransportError>) {
        let waiting = completion
        completion = nil
        guard let next = waiting?(result, allowance) else { return }
        if isCancelled { next.cancel() } else { self.next = next }
    }

    // MARK: The form

    func receive(_ chunk: UnsafeRawBufferPointer) {
        guard completion != nil else { return }
        guard allowance.grow(by: chunk.count) else {
            source.cancel()
            return complete(.failure(TransportError(.notRecorded, "the forms under way take too much memory")))
        }
        bytes.append(contentsOf: chunk)
    }

    func finish(_: BodyEnd) { complete(.success(bytes)) }

    func fail(_ error: any Error) { complete(.failure(TransportError(anyOf: error))) }
}
