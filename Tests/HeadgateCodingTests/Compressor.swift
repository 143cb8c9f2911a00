import CZlib
import CZstandard
import HeadgateCoding
import HeadgateHTTP

/// Compresses data with the libraries' own encoders.
final class Compressor {
    enum Format: CaseIterable {
        case zlib, gzip, raw, zstd

        var coding: ContentCoding {
            switch self {
            case .gzip: .gzip
            case .zlib, .raw: .deflate
            case .zstd: .zstd
            }
        }

        /// Window bits for zlib.
        fileprivate var windowBits: Int32 {
            switch self {
            case .zlib, .zstd: 15
            case .gzip: 31
            case .raw: -15
            }
        }
    }

    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private var zstandard: OpaquePointer?

    init(_ format: Format, level: Int32 = 6) {
        stream.initialize(to: z_stream())
        precondition(headgate_deflate_init(stream, level, format.windowBits) == Z_OK)
        guard format == .zstd else { return }
        zstandard = ZSTD_createCCtx()
        ZSTD_CCtx_setParameter(zstandard, ZSTD_c_compressionLevel, level)
        ZSTD_CCtx_setParameter(zstandard, ZSTD_c_checksumFlag, 1)
    }

    deinit {
        ZSTD_freeCCtx(zstandard)
        deflateEnd(stream)
        stream.deallocate()
    }

    /// - Parameter flush: `Z_SYNC_FLUSH` makes all bytes readable, and `Z_FINISH` ends the data.
    func write(_ bytes: [UInt8], flush: Int32) -> [UInt8] {
        if let zstandard { return write(bytes, flush: flush, with: zstandard) }
        var input = bytes
        var compressed: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 16 * 1024)
        input.withUnsafeMutableBufferPointer { input in
            stream.pointee.next_in = input.baseAddress
            stream.pointee.avail_in = UInt32(input.count)
            var isFull = true
            while isFull {
                let count = room.withUnsafeMutableBufferPointer { room in
                    stream.pointee.next_out = room.baseAddress
                    stream.pointee.avail_out = UInt32(room.count)
                    deflate(stream, flush)
                    return room.count - Int(stream.pointee.avail_out)
                }
                compressed += room[..<count]
                isFull = count == room.count
            }
        }
        return compressed
    }

    private func write(_ bytes: [UInt8], flush: Int32, with context: OpaquePointer) -> [UInt8] {
        let end = flush == Z_FINISH ? ZSTD_e_end : flush == Z_SYNC_FLUSH ? ZSTD_e_flush : ZSTD_e_continue
        return bytes.withUnsafeBytes { source in
            var input = ZSTD_inBuffer(src: source.baseAddress, size: source.count, pos: 0)
            var compressed: [UInt8] = []
            var isDone = false
            while !isDone {
                var room = [UInt8](repeating: 0, count: 16 * 1024)
                compressed += room.withUnsafeMutableBytes { target -> [UInt8] in
                    var output = ZSTD_outBuffer(dst: target.baseAddress, size: target.count, pos: 0)
                    let rest = ZSTD_compressStream2(context, &output, &input, end)
                    precondition(ZSTD_isError(rest) == 0)
                    isDone = input.pos == input.size && (rest == 0 || end == ZSTD_e_continue)
                    return Array(target[..<output.pos])
                }
            }
            return compressed
        }
    }

    static func compress(_ bytes: [UInt8], _ format: Format, level: Int32 = 6) -> [UInt8] {
        Compressor(format, level: level).write(bytes, flush: Z_FINISH)
    }
}

/// Output of a decoder: the bytes before the first error, and that error.
struct Decoded: Equatable {
    var bytes: [UInt8] = []
    var error: ContentCodingError?

    init(_ pieces: [[UInt8]], _ coding: ContentCoding, maximumSize: Int = .max, room: Int = 64 * 1024) {
        guard let decoder = ContentDecoder(coding, maximumSize: maximumSize) else { return }
        do throws(ContentCodingError) {
            for piece in pieces { try read(piece, decoder, room: room) }
            try decoder.finish()
        } catch {
            self.error = error
        }
    }

    private mutating func read(_ piece: [UInt8], _ decoder: ContentDecoder, room: Int) throws(ContentCodingError) {
        var output = [UInt8](repeating: 0, count: room)
        var offset = 0
        while true {
            let count = try output.withUnsafeMutableBufferPointer { (output) throws(ContentCodingError) in
                try piece.withUnsafeBufferPointer { (piece) throws(ContentCodingError) in
                    try decoder.decode(
                        UnsafeRawBufferPointer(piece), &offset, into: UnsafeMutableRawBufferPointer(output))
                }
            }
            guard count > 0 else { break }
            bytes += output[..<count]
        }
        precondition(offset == piece.count, "input was left without an error")
    }
}
