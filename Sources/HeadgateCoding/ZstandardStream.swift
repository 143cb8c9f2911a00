internal import CZstandard

/// The state of libzstd for one body, which consists of one or more frames.
final class ZstandardStream {
    /// The largest window, 8 MiB: RFC 9659 allows decoders to reject larger ones.
    private static let windowBits: Int32 = 23

    private let context: OpaquePointer
    /// Whether the last call filled its output: there may be more without further input.
    private var isFull = false

    init?() {
        guard let context = ZSTD_createDCtx() else { return nil }
        ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, ZstandardStream.windowBits)
        self.context = context
    }

    deinit { ZSTD_freeDCtx(context) }

    /// Decodes up to the end of the input, of the output or of a frame.
    func decode(
        _ source: UnsafeRawPointer?, _ available: Int, into target: UnsafeMutableRawPointer?, _ room: Int
    ) -> (read: Int, written: Int, ContentDecoder.Status) {
        // libzstd counts calls that cannot achieve anything as errors.
        guard available > 0 || isFull else { return (0, 0, .goesOn) }
        var input = ZSTD_inBuffer(src: source, size: available, pos: 0)
        var output = ZSTD_outBuffer(dst: target, size: room, pos: 0)
        let result = ZSTD_decompressStream(context, &output, &input)
        isFull = output.pos == room
        guard ZSTD_isError(result) == 0 else { return (input.pos, output.pos, .failed(ZstandardStream.error(result))) }
        return (input.pos, output.pos, result == 0 ? .complete : .goesOn)
    }

    private static func error(_ result: Int) -> ContentCodingError {
        switch ZSTD_getErrorCode(result) {
        case ZSTD_error_memory_allocation: .outOfMemory
        case ZSTD_error_frameParameter_windowTooLarge: .windowTooLarge
        default: .malformed
        }
    }
}
