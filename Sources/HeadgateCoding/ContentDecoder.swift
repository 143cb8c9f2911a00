internal import CZlib
package import HeadgateHTTP

/// Decodes gzip, deflate or zstd incrementally: flushed data is returned at once.
///
/// It is a class because zlib stores the address of its state.
package final class ContentDecoder {
    private enum Phase {
        /// The first two bytes of `deflate` identify one of its two formats.
        case choosing(first: UInt8?)
        case inflating
        /// A gzip member, a frame of zstd, or the only zlib stream, is complete.
        case complete
        case failed(ContentCodingError)
    }

    /// The maximum ratio of decoded to encoded bytes. Deflate can reach 1032; text reaches a few dozen.
    package static let highestRatio = 1000
    /// The number of decoded bytes above which the ratio is checked, because the beginning can be a run of spaces.
    private static let judgedAbove = 1 << 20

    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private var isInitialized = false
    private var phase: Phase
    private let coding: ContentCoding
    private var zstandard: ZstandardStream?
    private let maximumSize: Int
    private var consumed = 0
    private var produced = 0

    /// Creates a decoder; returns nil for `identity`, which needs none.
    ///
    /// - Parameter maximumSize: The maximum number of bytes of the decoded body.
    package init?(_ coding: ContentCoding, maximumSize: Int) {
        stream.initialize(to: z_stream())
        self.coding = coding
        self.maximumSize = maximumSize
        phase = .choosing(first: nil)
        if coding == .identity { return nil }
    }

    deinit {
        if isInitialized { inflateEnd(stream) }
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    /// Decodes into `output`, which must not be empty, and advances `offset` by the number of bytes read from `input`.
    ///
    /// - Returns: The number of bytes written. Call the method until it is 0: then the whole input has been read and
    ///   nothing is left to write. Data before a fault is returned before the error is thrown; for zstd, some of that
    ///   data can be missing.
    package func decode(
        _ input: UnsafeRawBufferPointer, _ offset: inout Int, into output: UnsafeMutableRawBufferPointer
    ) throws(ContentCodingError) -> Int {
        var written = 0
        do throws(ContentCodingError) {
            try advance(input, &offset, output, &written)
        } catch {
            phase = .failed(error)
            if written == 0 { throw error }
        }
        return written
    }

    /// Checks that the encoded data is complete. An empty input counts as complete, because some peers send empty
    /// bodies this way.
    package func finish() throws(ContentCodingError) {
        switch phase {
        case .complete: return
        case .choosing(first: nil): return
        case .choosing, .inflating: throw .truncated
        case .failed(let error): throw error
        }
    }

    private func advance(
        _ input: UnsafeRawBufferPointer, _ offset: inout Int, _ output: UnsafeMutableRawBufferPointer,
        _ written: inout Int
    ) throws(ContentCodingError) {
        while true {
            switch phase {
            case .failed(let error): throw error
            case .choosing(let first):
                guard offset < input.count else { return }
                guard coding == .deflate else {
                    if coding == .gzip { try begin(windowBits: 31) } else { try beginZstandard() }
                    continue
                }
                guard let first else {
                    phase = .choosing(first: input[offset])
                    offset += 1
                    continue
                }
                // RFC 1950 2.2: the method in four bits, and both bytes as a number are a multiple of 31. No encoder
                // writes a deflate stream that begins like this.
                let isZlib = first & 0x8F == 8 && (Int(first) << 8 | Int(input[offset])) % 31 == 0
                try begin(windowBits: isZlib ? 15 : -15)
                try withUnsafeBytes(of: first) { (octet) throws(ContentCodingError) in
                    var read = 0
                    try inflate(octet, &read, output, &written)
                }
            case .complete:
                guard offset < input.count else { return }
                switch coding {
                case .gzip: inflateReset(stream)
                case .zstd: break
                case .deflate, .identity: throw .malformed
                }
                phase = .inflating
            case .inflating:
                try inflate(input, &offset, output, &written)
                guard case .complete = phase, written < output.count else { return }
            }
        }
    }

    private func begin(windowBits: Int32) throws(ContentCodingError) {
        guard headgate_inflate_init(stream, windowBits) == Z_OK else { throw .outOfMemory }
        isInitialized = true
        phase = .inflating
    }

    private func beginZstandard() throws(ContentCodingError) {
        guard let stream = ZstandardStream() else { throw .outOfMemory }
        zstandard = stream
        phase = .inflating
    }

    /// Calls the library once, which stops at the end of the input, of the output or of the encoded data.
    private func inflate(
        _ input: UnsafeRawBufferPointer, _ offset: inout Int, _ output: UnsafeMutableRawBufferPointer,
        _ written: inout Int
    ) throws(ContentCodingError) {
        let available = min(input.count - offset, 1 << 30)
        let room = min(output.count - written, 1 << 30)
        let source = input.baseAddress.map { $0 + offset }
        let target = output.baseAddress.map { $0 + written }
        let (read, count, status) =
            if let zstandard {
                zstandard.decode(source, available, into: target, room)
            } else {
                inflate(source, available, into: target, room)
            }
        offset += read
        consumed += read
        guard count <= maximumSize - produced else {
            written += maximumSize - produced
            throw .tooLarge(limit: maximumSize)
        }
        produced += count
        written += count
        if produced > ContentDecoder.judgedAbove, produced / max(1, consumed) >= ContentDecoder.highestRatio {
            throw .suspiciousRatio
        }
        switch status {
        case .goesOn: break
        case .complete: phase = .complete
        case .failed(let error): throw error
        }
    }

    /// The result of one call of zlib or libzstd.
    enum Status {
        /// The library needs more input or more space for output.
        case goesOn
        case complete
        case failed(ContentCodingError)
    }

    private func inflate(
        _ source: UnsafeRawPointer?, _ available: Int, into target: UnsafeMutableRawPointer?, _ room: Int
    ) -> (read: Int, written: Int, Status) {
        stream.pointee.next_in = UnsafeMutablePointer(mutating: source?.assumingMemoryBound(to: Bytef.self))
        stream.pointee.avail_in = UInt32(available)
        stream.pointee.next_out = target?.assumingMemoryBound(to: Bytef.self)
        stream.pointee.avail_out = UInt32(room)
        let status = CZlib.inflate(stream, Z_SYNC_FLUSH)
        let result: Status =
            switch status {
            case Z_OK, Z_BUF_ERROR: .goesOn  // the latter: no input, or no room
            case Z_STREAM_END: .complete
            case Z_MEM_ERROR: .failed(.outOfMemory)
            default: .failed(.malformed)
            }
        return (available - Int(stream.pointee.avail_in), room - Int(stream.pointee.avail_out), result)
    }
}
