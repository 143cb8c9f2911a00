import CZlib
import HeadgateTesting

/// Compresses text like upstreams that compress without being asked.
final class Compressor {
    enum Coding: String, CaseIterable, Sendable {
        case gzip
        /// The zlib format, as RFC 9110 defines it.
        case deflate
        /// Variant that some peers send under the same name: a stream with neither header nor trailer.
        case bareDeflate

        /// Value in `Content-Encoding`.
        var name: String { self == .gzip ? "gzip" : "deflate" }

        fileprivate var windowBits: Int32 {
            switch self {
            case .gzip: 31
            case .deflate: 15
            case .bareDeflate: -15
            }
        }
    }

    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)

    init(_ coding: Coding) {
        stream.initialize(to: z_stream())
        let status = headgate_deflate_init(stream, 9, coding.windowBits)
        precondition(status == Z_OK)
    }

    deinit {
        deflateEnd(stream)
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    /// Returns the new coded bytes, up to a flush after which the whole input can be decoded.
    func flush(_ input: [UInt8]) -> [UInt8] { code(input, Z_SYNC_FLUSH) }

    /// Returns the remaining coded bytes, with the trailer.
    func finish(_ input: [UInt8] = []) -> [UInt8] { code(input, Z_FINISH) }

    /// Returns the coded bytes that zlib has ready; by default without a flush.
    func code(_ input: [UInt8], _ flush: Int32 = Z_NO_FLUSH) -> [UInt8] {
        var input = input
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        return input.withUnsafeMutableBufferPointer { input in
            stream.pointee.next_in = input.baseAddress
            stream.pointee.avail_in = UInt32(input.count)
            repeat {
                buffer.withUnsafeMutableBufferPointer { buffer in
                    stream.pointee.next_out = buffer.baseAddress
                    stream.pointee.avail_out = UInt32(buffer.count)
                    deflate(stream, flush)
                    output += buffer[..<(buffer.count - Int(stream.pointee.avail_out))]
                }
            } while stream.pointee.avail_out == 0
            return output
        }
    }
}

extension ScriptedResponse {
    /// Returns this response with its chunks coded, each up to a flush.
    func coded(_ coding: Compressor.Coding) -> ScriptedResponse {
        let compressor = Compressor(coding)
        var response = self
        response.headers.append("Content-Encoding", coding.name)
        response.chunks = chunks.map { chunk in
            ScriptedChunk(bytes: compressor.flush(chunk.bytes()), delay: chunk.delay)
        }
        response.chunks.append(ScriptedChunk(bytes: compressor.finish()))
        return response
    }
}
