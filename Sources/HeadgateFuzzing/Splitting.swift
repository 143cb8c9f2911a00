/// The ways in which a connection can deliver the same bytes.
enum Splitting: CaseIterable {
    case whole
    case octets
    /// Pieces of 1 to 37 bytes, always the same ones.
    case pieces

    func deliver(_ input: [UInt8], _ body: (UnsafeRawBufferPointer) -> Bool) {
        input.withUnsafeBytes { bytes in
            var (start, size) = (0, self == .whole ? max(1, bytes.count) : 1)
            while start < bytes.count {
                let end = min(bytes.count, start + size)
                guard body(UnsafeRawBufferPointer(rebasing: bytes[start..<end])) else { return }
                start = end
                if self == .pieces { size = (size * 5 + 3) % 37 + 1 }
            }
        }
    }

    /// Checks that a reader returns the same for all ways of delivery.
    static func compare<Trace: Equatable>(
        _ input: [UInt8], _ read: (_ input: [UInt8], _ splitting: Splitting) -> Trace
    ) throws(FuzzFinding) {
        let whole = read(input, .whole)
        for splitting in [Splitting.octets, .pieces] {
            let other = read(input, splitting)
            try FuzzFinding.expect(other == whole, "\(splitting) are read otherwise:\n\(other)\n\(whole)")
        }
    }
}
