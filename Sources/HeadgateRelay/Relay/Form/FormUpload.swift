package import HeadgateHTTP

/// Upload of a form from the client to an upstream.
///
/// The body is buffered until the model is known and an upstream accepts it. From then on it is streamed as it arrives,
/// with the upstream's name for the model.
///
/// Loop-confined.
package final class FormUpload: BodyStage {
    package typealias Completion = (Result<FormModel.Found, any Error>) -> Void

    /// Buffered bytes beyond which the source is paused, once the model is known.
    private static let highWaterMark = 256 << 10
    /// Maximum bytes passed on in one call.
    private static let slice = 64 << 10
    /// Number of bytes after whose arrival the body deadline restarts.
    private static let pace = 1 << 20

    let boundary: MultipartBoundary
    /// Whether sending has begun. The form can then no longer be sent to another upstream.
    private(set) var hasBegun = false
    /// Callback for an invalid form or a failed upload, set once an upstream is known.
    var broke: ((any Error) -> Void)?
    private var model: FormModel
    private let limit: Int
    private var allowance: BodyAllowance?
    private var completion: Completion?
    private var kept: [UInt8] = []
    /// Number of bytes of ``kept`` that have been passed on.
    private var handedOn = 0
    private var upstreamModel: String?
    private var isPaused = false
    private var isSourcePaused = false
    private var isDiscarding = false
    /// End of the body at its source; nil while the body is incomplete.
    private var end: BodyEnd?
    private var isRead = false
    private var whenRead: (() -> Void)?
    /// Bytes received since progress was last reported to the source.
    private var unnoted = 0

    /// - Parameters:
    ///   - limit: maximum bytes before the model's part.
    ///   - allowance: memory allowance for the buffered bytes.
    init(_ source: any BodySource, boundary: MultipartBoundary, limit: Int, allowance: BodyAllowance) {
        self.boundary = boundary
        self.limit = limit
        self.allowance = allowance
        model = FormModel(boundary)
        super.init(source)
    }

    /// Reads until the model is known.
    ///
    /// - Parameter completion: called once, possibly before this method returns.
    /// - Returns: nil if the search is already over.
    func findModel(_ completion: @escaping Completion) -> (any Cancellable)? {
        self.completion = completion
        source.start(self)
        return self.completion == nil ? nil : self
    }

    /// Sets the model name that the upstream receives.
    ///
    /// - Parameter model: name that replaces the one in the form; nil to leave the form unchanged.
    func name(_ model: String?) { upstreamModel = model }

    /// Length in bytes of the body sent upstream; nil if the client has not declared a length.
    var length: Int? {
        source.declaredLength.map { $0 - (renaming?.range.count ?? 0) + (renaming?.name.count ?? 0) }
    }

    private var renaming: (range: Range<Int>, name: [UInt8])? {
        guard let upstreamModel, let found = model.found else { return nil }
        return (found.range, Array(upstreamModel.utf8))
    }

    /// Reads and discards the rest of the body, within bounds.
    ///
    /// A client that is still sending does not read its response.
    ///
    /// - Parameter completion: called once, possibly before this method returns.
    func discardRest(_ completion: @escaping () -> Void) {
        guard !isRead else { return completion() }
        whenRead = completion
        discard()
        resumeSource()
    }

    private func discard() {
        isDiscarding = true
        kept = []
        allowance = nil
        broke = nil
    }

    // MARK: From the client

    package override func receive(_ chunk: UnsafeRawBufferPointer) {
        unnoted += chunk.count
        if unnoted >= FormUpload.pace {
            unnoted = 0
            source.note(.content)
        }
        guard !isDiscarding else { return }
        do {
            try model.read(chunk)
            if hasBegun, kept.isEmpty, !isPaused { return pass(chunk) }
            try keep(chunk)
        } catch {
            return refuse(error)
        }
        if let found = model.found { complete(.success(found)) }
    }

    private func keep(_ chunk: UnsafeRawBufferPointer) throws {
        let count = kept.count + chunk.count
        guard min(count, model.found?.range.lowerBound ?? count) <= limit else {
            throw GatewayError.modelTooLate(limit: limit)
        }
        guard allowance?.grow(to: count) != false else { throw BodyMemory.Exhausted() }
        kept.makeRoom(for: chunk.count, upTo: limit)
        kept.append(contentsOf: chunk)
        guard model.found != nil, count - handedOn > FormUpload.highWaterMark else { return }
        isSourcePaused = true
        source.pause()
    }

    package override func finish(_ end: BodyEnd) {
        isRead = true
        defer { tellWhenRead() }
        guard !isDiscarding else { return }
        do throws(GatewayError) { try model.finish() } catch { return refuse(error) }
        self.end = end
        if hasBegun { handOn() }
    }

    package override func fail(_ error: any Error) {
        isRead = true
        defer { tellWhenRead() }
        if !isDiscarding { refuse(error) }
    }

    private func tellWhenRead() {
        whenRead.take()?()
    }

    /// Fails the upload. Nothing more is passed on.
    private func refuse(_ error: any Error) {
        let broke = broke
        discard()
        complete(.failure(error))
        broke?(error)
    }

    private func complete(_ result: Result<FormModel.Found, any Error>) {
        completion.take()?(result)
    }

    // MARK: To the upstream

    package override func start(_ sink: any BodySink) {
        guard !hasBegun, !isDiscarding else { return sink.fail(TransportError(.cancelled)) }
        hasBegun = true
        if let renaming { kept.replaceSubrange(renaming.range, with: renaming.name) }
        attach(sink)
        handOn()
    }

    /// Passes on the buffered bytes as far as the upstream accepts them, and then the end.
    private func handOn() {
        while hasSink, !isPaused, handedOn < kept.count {
            let next = min(handedOn + FormUpload.slice, kept.count)
            let range = handedOn..<next
            handedOn = next
            // The upstream can cancel during this call, which clears the buffer.
            let bytes = kept
            bytes.withUnsafeBytes { pass(UnsafeRawBufferPointer(rebasing: $0[range])) }
        }
        guard hasSink, !isPaused, handedOn == kept.count else { return }
        (kept, handedOn, allowance) = ([], 0, nil)
        if let end { passEnd(.success(end)) } else { resumeSource() }
    }

    private func resumeSource() {
        guard isSourcePaused else { return }
        isSourcePaused = false
        source.resume()
    }

    package override func pause() {
        isPaused = true
        guard !isSourcePaused, !isRead else { return }
        isSourcePaused = true
        source.pause()
    }

    package override func resume() {
        isPaused = false
        handOn()
    }

    /// Stops the upload, because the upstream needs no more or the search for the model was cancelled.
    ///
    /// ``discardRest(_:)`` reads the rest.
    package override func cancel() {
        detach()
        discard()
        complete(.failure(TransportError(.cancelled)))
    }

    package override func discardRest() { cancel() }
}
