internal import Synchronization

/// Makes UUIDs of version 7 (RFC 9562 5.7): sorted by time, unique across loops and restarts.
///
/// The random part comes from a counter that started at a random place and is mixed, not from the kernel: an id is no
/// secret, and a system call per request would be waste.
final class RequestIDGenerator: Sendable {
    private let counter: Atomic<UInt64>
    private let now: @Sendable () -> Int64

    /// - Parameter now: nanoseconds since 1970.
    init(now: @escaping @Sendable () -> Int64) {
        self.now = now
        counter = Atomic(UInt64.random(in: .min ... .max))
    }

    func next() -> String {
        let random = RequestIDGenerator.mix(counter.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue)
        let more = RequestIDGenerator.mix(~random)
        let milliseconds = UInt64(truncatingIfNeeded: now() / 1_000_000)
        let high = milliseconds << 16 | 0x7000 | (more & 0x0FFF)
        let low = 0x8000_0000_0000_0000 | (random >> 2)
        return String(unsafeUninitializedCapacity: 36) { text in
            var position = 0
            for index in 0..<32 {
                if index == 8 || index == 12 || index == 16 || index == 20 {
                    text[position] = 0x2D
                    position += 1
                }
                let word = index < 16 ? high : low
                let digit = UInt8(truncatingIfNeeded: word >> UInt64(60 - (index & 15) * 4)) & 15
                text[position] = digit < 10 ? 0x30 + digit : 0x57 + digit
                position += 1
            }
            return position
        }
    }

    /// The finaliser of SplitMix64: every bit of the input changes half of the output's.
    private static func mix(_ input: UInt64) -> UInt64 {
        var value = input
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
