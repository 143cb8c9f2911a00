package import HeadgateHTTP

/// A form on its way from the client to an upstream. What comes before the model is known is kept; from when an
/// upstream takes it, the form goes on as it comes, with the upstream's name for the model.
///
/// Loop-confined.
package final class FormUpload: BodyStage {
    package typealias Completion = (Result<FormModel.Found, any Error>) -> Void

    /// Octets that are kept while an upstream that is known does not take them.
    private static let highWaterMark = 256 << 10
    /// As much is handed on at a time.
    private static let slice = 64 << 10
    /// A form that goes on counts as coming in time while this many octets come within the time of a body.
    private static let pace = 1 << 20

    let boundary: MultipartBoundary
    /// Whether some of it has been handed on: then it cannot be sent to another upstream.
    private(set) var hasBegun = false
    /// Told of what is wrong with the form, or with its way here, once an upstream is known.
    var broke: ((any Error) -> Void)?
    private var model: FormModel
    private let limit: Int
    private var allowance: BodyAllowance?
    private var completion: Completion?
    private var kept: [UInt8] = []
    /// Octets of ``kept`` that have been handed on.
    private var handedOn = 0
    private var upstreamModel: String?
    private var isPaused = false
    private var isSourcePaused = false
    private var isDiscarding = false
    /// How it ended at its source.
    private var end: BodyEnd?
    private var isRead = false
    private var whenRead: (() -> Void)?
    /// Octets since the source was last told that it comes in time.
    private var unnoted = 0

    /// - Parameters:
    ///   - limit: octets that may come before the model's part.
    ///   - allowance: covers what is kept.
    package init(_ source: any BodySource, boundary: MultipartBoundary, limit: Int, allowance: BodyAllowance) {
        self.boundary = boundary
        self.limit = limit
        self.allowance = allowance
        model = FormModel(boundary)
        super.init(source)
    }

    /// Reads until the model is known.
    ///
    /// - Parameter completion: called once, perhaps before this returns.
    /// - Returns: nil when that is over already.
    func findModel(_ completion: @escaping Completion) -> (any Cancellable)? {
        self.completion = completion
        source.start(self)
        return self.completion == nil ? nil : self
    }

    /// - Parameter model: to write in place of the one in the form; nil to leave that.
    package func name(_ model: String?) { upstreamModel = model }

    /// Octets of what is sent; nil where the client has not said.
    package var length: Int? {
        source.declaredLength.map { $0 - (renaming?.range.count ?? 0) + (renaming?.name.count ?? 0) }
    }

    private var renaming: (range: Range<Int>, name: [UInt8])? {
        guard let upstreamModel, let found = model.found else { return nil }
        return (found.range, Array(upstreamModel.utf8))
    }

    /// Throws away what still comes, in bounds: a client that is not done sending does not read its response.
    ///
    /// - Parameter completion: called once, perhaps before this returns.
    package func discardRest(_ completion: @escaping () -> Void) {
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

    /// Nothing more is handed on.
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

    /// Hands on what is kept, as far as it is taken, and then the end.
    private func handOn() {
        while hasSink, !isPaused, handedOn < kept.count {
            let next = min(handedOn + FormUpload.slice, kept.count)
            let range = handedOn..<next
            handedOn = next
            // The upstream may break off meanwhile, which drops what is kept.
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

    /// The upstream wants no more, or nobody wants the model: what still comes is for ``discardRest(_:)``.
    package override func cancel() {
        detach()
        discard()
        complete(.failure(TransportError(.cancelled)))
    }

    package override func discardRest() { cancel() }
}
