/// Way of dividing the input of a case into writes. The outcome must be the same for every way.
enum HTTPVectorWay: String, CaseIterable, Decodable, Sendable {
    /// One write.
    case whole
    /// One byte per segment. An input over 64 KiB would need too many segments: only its first 2 KiB, with the request
    /// heads, are sent in single bytes. The rest is sent in pieces of 1 KiB.
    case octets
    /// One write per line, each of which ends after LF.
    case lines

    /// Returns the writes in order, which together are all of `bytes`.
    func pieces(of bytes: [UInt8]) -> [Range<Int>] {
        switch self {
        case .whole:
            return bytes.isEmpty ? [] : [bytes.indices]
        case .octets:
            let single = bytes.count > 65_536 ? 2_048 : bytes.count
            let octets = (0..<single).map { $0..<($0 + 1) }
            return octets
                + stride(from: single, to: bytes.count, by: 1_024).map { $0..<min($0 + 1_024, bytes.count) }
        case .lines:
            var pieces: [Range<Int>] = []
            var start = 0
            while start < bytes.count {
                let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.count
                pieces.append(start..<end)
                start = end
            }
            return pieces
        }
    }

    /// Pause between two writes, so that the server reads them separately. Without it, the kernel joins most of them.
    var pause: Duration {
        switch self {
        case .whole: .zero
        case .octets: .microseconds(20)
        case .lines: .milliseconds(1)
        }
    }

    /// Number of writes followed by `pause`, which bounds the time of long inputs.
    var pausedPieces: Int {
        switch self {
        case .whole: 0
        case .octets: 1_024
        case .lines: 64
        }
    }
}
