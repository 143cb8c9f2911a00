/// Reads lines that end in CRLF and contain no control character except HTAB.
struct WireLines {
    let bytes: [UInt8]
    private(set) var position: Int
    private let limit: Int

    /// Reads at most 64 KiB as lines, from `position`.
    init(bytes: [UInt8], position: Int) {
        self.bytes = bytes
        self.position = position
        limit = position + 65_536
    }

    /// Returns the next line without its end; nil while it is incomplete.
    mutating func next() throws(WireFailure) -> ArraySlice<UInt8>? {
        let rest = bytes[min(position, bytes.count)...]
        guard let feed = rest.firstIndex(of: UInt8(ascii: "\n")) else {
            if bytes.count > limit { throw WireFailure("a head or trailer over 64 KiB") }
            return nil
        }
        guard feed <= limit else { throw WireFailure("a head or trailer over 64 KiB") }
        guard feed > rest.startIndex, bytes[feed - 1] == UInt8(ascii: "\r") else {
            throw WireFailure("a line ends in a bare LF", rest[..<feed])
        }
        let line = rest[..<(feed - 1)]
        guard line.allSatisfy({ $0 == 9 || ($0 >= 32 && $0 != 127) }) else {
            throw WireFailure("a control octet in a line", line)
        }
        position = feed + 1
        return line
    }

    /// Returns the header lines up to and including the empty line; nil while they are incomplete.
    mutating func fields() throws(WireFailure) -> [WireResponseHead.Field]? {
        var fields: [WireResponseHead.Field] = []
        while let line = try next() {
            if line.isEmpty { return fields }
            let name = line.prefix { $0 != UInt8(ascii: ":") }
            guard !name.isEmpty, name.endIndex < line.endIndex, name.allSatisfy(Self.isToken) else {
                throw WireFailure("bad field line", line)
            }
            let value = line[(name.endIndex + 1)...].drop { $0 == 32 || $0 == 9 }
            let trailing = value.reversed().prefix { $0 == 32 || $0 == 9 }.count
            fields.append(.init(name: name.latin1.lowercased(), value: value.dropLast(trailing).latin1))
        }
        return nil
    }

    private static func isToken(_ octet: UInt8) -> Bool {
        switch octet {
        case 48...57, 65...90, 97...122: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(octet)
        }
    }
}
