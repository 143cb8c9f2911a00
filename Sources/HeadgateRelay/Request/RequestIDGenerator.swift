package import HeadgateHTTP
internal import Synchronization

/// Generates UUIDs of version 7 (RFC 9562 5.7): sorted by time, unique across loops and restarts.
///
/// The random part is a hash of a counter with a random start. It does not come from the kernel, because an id is not a
/// secret and this saves a system call per request.
package final class RequestIDGenerator: Sendable {
    private let counter: Atomic<UInt64>
    private let now: @Sendable () -> Int64

    /// - Parameter now: returns nanoseconds since 1970.
    package init(now: @escaping @Sendable () -> Int64) {
        self.now = now
        counter = Atomic(UInt64.random(in: .min ... .max))
    }

    package func next() -> String {
        let random = RequestIDGenerator.mix(counter.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue)
        let more = RequestIDGenerator.mix(~random)
        let milliseconds = UInt64(truncatingIfNeeded: now() / 1_000_000)
        let high = milliseconds << 16 | 0x7000 | (more & 0x0FFF)
        let low = 0x8000_0000_0000_0000 | (random >> 2)
        return RequestIDGenerator.text(high, low)
    }

    /// Returns a UUID in its hyphenated form.
    static func text(_ high: UInt64, _ low: UInt64) -> String {
        String(unsafeUninitializedCapacity: 36) { text in
            let text = UnsafeMutableRawBufferPointer(text)
            let parts = (
                digits(high >> 32), digits(high & 0xFFFF_FFFF), digits(low >> 32), digits(low & 0xFFFF_FFFF)
            )
            text.storeBytes(of: parts.0, as: UInt64.self)
            text.storeBytes(of: UInt32(truncatingIfNeeded: parts.1), toByteOffset: 9, as: UInt32.self)
            text.storeBytes(of: UInt32(truncatingIfNeeded: parts.1 >> 32), toByteOffset: 14, as: UInt32.self)
            text.storeBytes(of: UInt32(truncatingIfNeeded: parts.2), toByteOffset: 19, as: UInt32.self)
            text.storeBytes(of: UInt32(truncatingIfNeeded: parts.2 >> 32), toByteOffset: 24, as: UInt32.self)
            text.storeBytes(of: parts.3, toByteOffset: 28, as: UInt64.self)
            (text[8], text[13], text[18], text[23]) = (0x2D, 0x2D, 0x2D, 0x2D)
            return 36
        }
    }

    /// Returns the eight hexadecimal digits of 32 bits, computed in parallel, in memory order.
    static func digits(_ number: UInt64) -> UInt64 {
        var spread = (number | number << 16) & 0x0000_FFFF_0000_FFFF
        spread = (spread | spread << 8) & 0x00FF_00FF_00FF_00FF
        spread = (spread | spread << 4) & 0x0F0F_0F0F_0F0F_0F0F
        // 1 in each byte above nine, which becomes a letter.
        let letters = (spread &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        return (spread &+ 0x3030_3030_3030_3030 &+ letters &* 0x27).bigEndian
    }

    /// Applies the finalizer of SplitMix64: every bit of the input changes half of the output's bits, on average.
    private static func mix(_ input: UInt64) -> UInt64 {
        var value = input
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}

/// Assigns an id to every request: the client's own if it is well-formed. The response carries it as `x-request-id`.
package struct RequestIDMiddleware: ServerGate {
    let generator: RequestIDGenerator

    package init(generator: RequestIDGenerator) {
        self.generator = generator
    }

    package func admit(_ request: RequestHead, metadata: ServerRequestMetadata, operationID: String) {
        metadata.record.facts.requestID =
            RequestIDMiddleware.accepted(request.fields.value(of: .xRequestID)) ?? generator.next()
    }

    /// Returns the id if it consists of 1 to 128 letters, digits, `.`, `_` and `-`; nil otherwise.
    static func accepted(_ presented: String?) -> String? {
        guard let presented, (1...128).contains(presented.utf8.count) else { return nil }
        let isWellFormed = presented.utf8.allSatisfy { byte in
            (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || byte == 0x2D || byte == 0x2E || byte == 0x5F
        }
        return isWellFormed ? presented : nil
    }
}
