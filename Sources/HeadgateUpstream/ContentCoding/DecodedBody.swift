package import HeadgateHTTP

/// A body that is decoded between its source and its sink, in pieces of at most 64 KiB.
///
/// A small chunk can decode to megabytes: a sink that pauses gets no further piece, and what is not decoded yet stays as it came.
package final class DecodedBody: BodySource {
    private let source: any BodySource
    private let decoder: ContentDecoder
    private var sink: (any BodySink)?
    private let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
    /// Input that came while the sink was paused.
    private var waiting: [UInt8] = []
    private var waitingOffset = 0
    /// The sink paused inside a chunk, so that the decoder may hold more output even without input.
    private var hasMoreOutput = false
    private var end: Result<BodyEnd, any Error>?
    private var isPaused = false
    private var sourceIsPaused = false
    private var isDelivering = false

    package init(_ source: any BodySource, decoder: ContentDecoder) {
        self.source = source
        self.decoder = decoder
    }

    deinit { piece.deallocate() }

    package var bytesAreProgress: Bool {
        get { source.bytesAreProgress }
        set { source.bytesAreProgress = newValue }
    }

    package func noteProgress() { source.noteProgress() }

    package func start(_ sink: any BodySink) {
        self.sink = sink
        source.start(self)
    }

    package func pause() {
        isPaused = true
        guard !sourceIsPaused else { return }
        sourceIsPaused = true
        source.pause()
    }

    package func resume() {
        isPaused = false
        // Called by the sink inside ``receive(_:)``: whoever delivers goes on by itself.
        if !isDelivering { deliverWaiting() }
    }

    package func cancel() {
        forget()
        source.cancel()
    }

    package func discardRest() {
        forget()
        source.discardRest()
    }

    private func forget() {
        sink = nil
        waiting = []
        waitingOffset = 0
        hasMoreOutput = false
        end = nil
    }

    // MARK: Delivering

    /// Delivers what waits, then the end; asks the source for more when nothing is left.
    private func deliverWaiting() {
        isDelivering = true
        while sink != nil, !isPaused, waitingOffset < waiting.count || hasMoreOutput {
            let input = waiting
            var offset = waitingOffset
            input.withUnsafeBytes { deliver($0, &offset) }
            guard sink != nil else { break }
            let isUsedUp = offset == waiting.count
            if isUsedUp { waiting = [] }
            waitingOffset = isUsedUp ? 0 : offset
        }
        isDelivering = false
        guard sink != nil, !isPaused else { return }
        if let end { return complete(end) }
        guard sourceIsPaused else { return }
        sourceIsPaused = false
        source.resume()
    }

    /// Decodes until the input is used up or the sink wants no more.
    private func deliver(_ input: UnsafeRawBufferPointer, _ offset: inout Int) {
        while sink != nil, !isPaused {
            let count: Int
            do throws(ContentCodingError) {
                count = try decoder.decode(input, &offset, into: piece)
            } catch {
                return fail(error)
            }
            hasMoreOutput = count > 0
            guard count > 0 else { return }
            sink?.receive(UnsafeRawBufferPointer(rebasing: piece[..<count]))
        }
    }

    private func complete(_ end: Result<BodyEnd, any Error>) {
        switch end {
        case .failure(let error):
            let sink = sink
            forget()
            sink?.fail(error)
        case .success(let end):
            do throws(ContentCodingError) {
                try decoder.finish()
            } catch {
                return fail(error)
            }
            let sink = sink
            forget()
            sink?.finish(end)
        }
    }

    /// The coded data is wrong: whatever else comes means nothing.
    private func fail(_ error: ContentCodingError) {
        let sink = sink
        let isTruncated = error == .truncated
        forget()
        source.cancel()
        sink?.fail(TransportError(isTruncated ? .truncatedBody : .encoding, error.explanation))
    }
}

extension DecodedBody: BodySink {
    package func receive(_ chunk: UnsafeRawBufferPointer) {
        guard sink != nil else { return }
        var offset = 0
        if !isPaused, !isDelivering {
            isDelivering = true
            deliver(chunk, &offset)
            isDelivering = false
        }
        guard sink != nil else { return }
        waiting.append(contentsOf: chunk[offset...])
        if !isPaused, !isDelivering { deliverWaiting() }
    }

    package func finish(_ end: BodyEnd) { ended(.success(end)) }

    package func fail(_ error: any Error) { ended(.failure(error)) }

    /// The end waits for what came before it.
    private func ended(_ end: Result<BodyEnd, any Error>) {
        guard sink != nil, self.end == nil else { return }
        self.end = end
        if !isPaused, !isDelivering { deliverWaiting() }
    }
}
