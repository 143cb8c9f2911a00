internal import CZlib

/// Decodes gzip or deflate incrementally: what the sender flushed comes out at once.
///
/// A class, because zlib keeps the address of its state.
package final class ContentDecoder {
    private enum Phase {
        /// The first two octets of `deflate` tell which of its two formats it is.
        case choosing(first: UInt8?)
        case inflating
        /// A gzip member, or the one zlib stream, is complete.
        case complete
        case failed(ContentCodingError)
    }

    /// Decoded octets per coded one. Deflate itself cannot do more than 1032; text reaches a few dozen.
    package static let highestRatio = 1000
    /// The ratio is judged above this, in decoded octets: the beginning may be a run of spaces.
    private static let judgedAbove = 1 << 20

    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private var isInitialized = false
    private var phase: Phase
    private let isGzip: Bool
    private let maximumSize: Int
    private var consumed = 0
    private var produced = 0

    /// Returns nil for `identity`, which needs no decoder.
    ///
    /// - Parameter maximumSize: of the decoded body, in octets.
    package init?(_ coding: ContentCoding, maximumSize: Int) {
        stream.initialize(to: z_stream())
        isGzip = coding == .gzip
        self.maximumSize = maximumSize
        phase = .choosing(first: nil)
        if coding == .identity { return nil }
    }

    deinit {
        if isInitialized { inflateEnd(stream) }
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    /// Decodes into `output`, which is not empty, and advances `offset` by what was read of `input`.
    ///
    /// - Returns: octets written. Call until it is 0: then the whole input has been read and nothing is left to write.
    ///   What stands before a fault comes out before the error.
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

    /// Checks that the coded data is complete. A body without a single octet is: it is how some peers send an empty
    /// one.
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
                guard !isGzip else {
                    try begin(windowBits: 31)
                    continue
                }
                guard let first else {
                    phase = .choosing(first: input[offset])
                    offset += 1
                    continue
                }
                // RFC 1950 2.2: the method in four bits, and both octets as a number are a multiple of 31. No deflate
                // stream that an encoder writes begins so.
                let isZlib = first & 0x8F == 8 && (Int(first) << 8 | Int(input[offset])) % 31 == 0
                try begin(windowBits: isZlib ? 15 : -15)
                try withUnsafeBytes(of: first) { (octet) throws(ContentCodingError) in
                    var read = 0
                    try inflate(octet, &read, output, &written)
                }
            case .complete:
                guard offset < input.count else { return }
                guard isGzip else { throw .malformed }
                inflateReset(stream)
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

    /// One call of zlib, up to the end of the input, of the output or of the coded data.
    private func inflate(
        _ input: UnsafeRawBufferPointer, _ offset: inout Int, _ output: UnsafeMutableRawBufferPointer,
        _ written: inout Int
    ) throws(ContentCodingError) {
        let available = min(input.count - offset, 1 << 30)
        let room = min(output.count - written, 1 << 30)
        let source = input.baseAddress.map { $0 + offset }
        let target = output.baseAddress.map { $0 + written }
        stream.pointee.next_in = UnsafeMutablePointer(mutating: source?.assumingMemoryBound(to: Bytef.self))
        stream.pointee.avail_in = UInt32(available)
        stream.pointee.next_out = target?.assumingMemoryBound(to: Bytef.self)
        stream.pointee.avail_out = UInt32(room)
        let status = CZlib.inflate(stream, Z_SYNC_FLUSH)
        let count = room - Int(stream.pointee.avail_out)
        offset += available - Int(stream.pointee.avail_in)
        consumed += available - Int(stream.pointee.avail_in)
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
        case Z_OK, Z_BUF_ERROR: break  // the latter: no input, or no room
        case Z_STREAM_END: phase = .complete
        case Z_MEM_ERROR: throw .outOfMemory
        default: throw .malformed
        }
    }
}
