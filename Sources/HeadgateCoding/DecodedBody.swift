package import HeadgateHTTP

/// A body that is decoded between its source and its sink, at most one piece of 64 KiB in each turn of the loop.
///
/// A small chunk can decode to megabytes. Between two pieces the loop serves other connections, as it does between two
/// reads of a plain body. Pending input is stored, and the source is paused. The same happens if the sink pauses.
package final class DecodedBody: BodyStage {
    private let decoder: ContentDecoder
    private let scheduleTurn: () -> Void
    private let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
    /// The input that is not decoded yet.
    private var waiting: [UInt8] = []
    private var waitingOffset = 0
    /// Whether the decoder may have more output even without further input.
    ///
    /// That is the case if the last piece was full, or if the sink paused.
    private var hasMoreOutput = false
    private var end: Result<BodyEnd, any Error>?
    private var isPaused = false
    private var sourceIsPaused = false
    private var isDelivering = false

    /// Creates a decoded body.
    ///
    /// - Parameter scheduleTurn: Schedules one call of ``turn()``, which must be soon but not immediately.
    package init(_ source: any BodySource, decoder: ContentDecoder, scheduleTurn: @escaping () -> Void) {
        self.decoder = decoder
        self.scheduleTurn = scheduleTurn
        super.init(source)
    }

    deinit { piece.deallocate() }

    override package func pause() {
        isPaused = true
        pauseSource()
    }

    override package func resume() {
        isPaused = false
        turn()
    }

    override package func ended() {
        waiting = []
        waitingOffset = 0
        hasMoreOutput = false
        end = nil
    }

    private func pauseSource() {
        guard !sourceIsPaused else { return }
        sourceIsPaused = true
        source.pause()
    }

    // MARK: Delivery

    private var hasRest: Bool { hasMoreOutput || waitingOffset < waiting.count }

    /// Decodes the next piece of the pending input.
    package func turn() {
        // If the sink calls this while it receives a piece, the delivery continues automatically.
        guard hasSink, !isPaused, !isDelivering else { return }
        if hasRest {
            let input = waiting
            var offset = waitingOffset
            input.withUnsafeBytes { deliver($0, &offset) }
            guard hasSink else { return }
            let isUsedUp = offset == waiting.count
            if isUsedUp { waiting = [] }
            waitingOffset = isUsedUp ? 0 : offset
        }
        goOn()
    }

    /// Continues after a delivery: schedules the next piece, delivers the end, or resumes the source.
    private func goOn() {
        guard hasSink, !isPaused, !isDelivering else { return }
        if hasRest {
            pauseSource()
            return scheduleTurn()
        }
        if let end { return complete(end) }
        guard sourceIsPaused else { return }
        sourceIsPaused = false
        source.resume()
    }

    /// Decodes until a piece is full, the input is used up or the sink no longer accepts data.
    private func deliver(_ input: UnsafeRawBufferPointer, _ offset: inout Int) {
        isDelivering = true
        defer { isDelivering = false }
        var count = 0
        repeat {
            do throws(ContentCodingError) {
                count = try decoder.decode(input, &offset, into: piece)
            } catch {
                return fail(error)
            }
            hasMoreOutput = count > 0
            guard count > 0 else { return }
            pass(UnsafeRawBufferPointer(rebasing: piece[..<count]))
        } while hasSink && !isPaused && count < piece.count
    }

    private func complete(_ end: Result<BodyEnd, any Error>) {
        switch end {
        case .failure: passEnd(end)
        case .success:
            do throws(ContentCodingError) {
                try decoder.finish()
            } catch {
                return fail(error)
            }
            passEnd(end)
        }
    }

    /// Fails because the encoded data is invalid. Further input is ignored.
    private func fail(_ error: ContentCodingError) {
        source.cancel()
        passEnd(.failure(TransportError(error == .truncated ? .truncatedBody : .encoding, error.explanation)))
    }

    // MARK: Source

    override package func receive(_ chunk: UnsafeRawBufferPointer) {
        guard hasSink else { return }
        var offset = 0
        if !hasRest, !isPaused, !isDelivering { deliver(chunk, &offset) }
        guard hasSink else { return }
        if offset < chunk.count { waiting.append(contentsOf: chunk[offset...]) }
        goOn()
    }

    override package func finish(_ end: BodyEnd) { ended(.success(end)) }

    override package func fail(_ error: any Error) { ended(.failure(error)) }

    /// Stores the end, which is delivered after all pending data.
    private func ended(_ end: Result<BodyEnd, any Error>) {
        guard hasSink, self.end == nil else { return }
        self.end = end
        goOn()
    }
}
