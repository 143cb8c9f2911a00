/// The head of a response, parsed strictly: deviations that a lenient client accepts are errors.
struct WireResponseHead: Equatable {
    struct Field: Equatable {
        /// Name in lower case.
        let name: String
        /// Value as Latin-1, without surrounding white space.
        let value: String
    }

    enum Framing: Equatable {
        case none
        case length(Int)
        case chunked
        case untilEnd
    }

    let version: String
    let status: Int
    let fields: [Field]
    /// Framing of the body in a response to any method except HEAD.
    let framing: Framing

    var isInterim: Bool { status < 200 }

    /// Returns all values of a header joined by a comma; nil if it is absent.
    func value(of name: String) -> String? {
        let values = fields.filter { $0.name == name }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    /// Returns the head at `start` and its end; nil while it is incomplete.
    static func read(_ bytes: [UInt8], from start: Int) throws(WireFailure) -> (head: WireResponseHead, end: Int)? {
        var lines = WireLines(bytes: bytes, position: start)
        guard let statusLine = try lines.next() else { return nil }
        let (version, status) = try parse(statusLine: statusLine)
        guard let fields = try lines.fields() else { return nil }
        let framing = try framing(version: version, status: status, fields: fields)
        let head = WireResponseHead(version: version, status: status, fields: fields, framing: framing)
        return (head, lines.position)
    }

    /// Parses `HTTP/1.x SP 3DIGIT SP reason`; the second space is required even if the reason is empty.
    private static func parse(statusLine: ArraySlice<UInt8>) throws(WireFailure) -> (version: String, status: Int) {
        let line = [UInt8](statusLine)
        guard line.count >= 13, line[..<7].elementsEqual("HTTP/1.".utf8), (48...57).contains(line[7]), line[8] == 32,
            line[9..<12].allSatisfy({ (48...57).contains($0) }), (49...53).contains(line[9]), line[12] == 32
        else { throw WireFailure("bad status line", line) }
        return (line[..<8].latin1, line[9..<12].reduce(0) { $0 * 10 + Int($1) - 48 })
    }

    private static func framing(
        version: String, status: Int, fields: [Field]
    ) throws(WireFailure) -> Framing {
        let lengths = fields.filter { $0.name == "content-length" }.map(\.value)
        let codings = fields.filter { $0.name == "transfer-encoding" }.map(\.value)
        if !lengths.isEmpty, !codings.isEmpty {
            throw WireFailure("both Content-Length and Transfer-Encoding")
        }
        if status < 200 || status == 204 {
            guard lengths.isEmpty, codings.isEmpty else { throw WireFailure("a framing field in \(status)") }
            return .none
        }
        if !codings.isEmpty {
            guard version != "HTTP/1.0", codings.count == 1, codings[0].lowercased() == "chunked" else {
                throw WireFailure("bad Transfer-Encoding \(codings) in \(version)")
            }
            return status == 304 ? .none : .chunked
        }
        guard !lengths.isEmpty else { return status == 304 ? .none : .untilEnd }
        guard lengths.count == 1, DecimalNumber(lengths[0]) != nil, let length = Int(lengths[0]),
            length <= WireResponse.mostBytes
        else { throw WireFailure("bad Content-Length \(lengths)") }
        return status == 304 ? .none : .length(length)
    }
}
