internal import CZlib

/// Encodes whole bodies with gzip.
package enum Gzip {
    /// Returns the encoded body; nil if there is not enough memory.
    package static func encoded(_ bytes: [UInt8]) -> [UInt8]? {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        defer {
            stream.deinitialize(count: 1)
            stream.deallocate()
        }
        // A value of 31 means the gzip format with the largest window.
        guard bytes.count < UInt32.max / 2, headgate_deflate_init(stream, Z_DEFAULT_COMPRESSION, 31) == Z_OK else {
            return nil
        }
        defer { deflateEnd(stream) }
        let room = Int(deflateBound(stream, UInt(bytes.count)))
        var isComplete = false
        let encoded = [UInt8](unsafeUninitializedCapacity: room) { output, count in
            bytes.withUnsafeBufferPointer { input in
                stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.pointee.avail_in = UInt32(input.count)
                stream.pointee.next_out = output.baseAddress
                stream.pointee.avail_out = UInt32(room)
                isComplete = deflate(stream, Z_FINISH) == Z_STREAM_END
            }
            count = room - Int(stream.pointee.avail_out)
        }
        return isComplete ? encoded : nil
    }
}
