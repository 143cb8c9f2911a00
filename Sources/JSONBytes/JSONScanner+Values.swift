extension JSONScanner {
    /// The deepest nesting that `ContainerStack` can record.
    @inlinable
    static var deepest: Int { 128 }

    /// Reads a whole value of any kind, and returns its end.
    @usableFromInline
    func scanValue(_ start: Int, openContainers: Int, maximumDepth: Int) throws(JSONError) -> Int {
        switch try byte(at: start) {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            try scanContainer(start, openContainers: openContainers, maximumDepth: maximumDepth)
        default: try scanScalar(start)
        }
    }

    /// Reads a value that is neither an object nor an array. Requires `offset < count`.
    @inline(__always)
    private func scanScalar(_ offset: Int) throws(JSONError) -> Int {
        switch self[offset] {
        case UInt8(ascii: "\""): try scanString(offset).contents.upperBound &+ 1
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): try scanNumber(offset).end
        case UInt8(ascii: "n"): try scanLiteral(offset, "null")
        case UInt8(ascii: "t"): try scanLiteral(offset, "true")
        case UInt8(ascii: "f"): try scanLiteral(offset, "false")
        default: throw JSONError(.syntax, at: offset)
        }
    }

    /// Reads an object or array from its opening bracket. There is no recursion: each open container is one bit.
    private func scanContainer(_ start: Int, openContainers: Int, maximumDepth: Int) throws(JSONError) -> Int {
        var offset = start
        var stack = ContainerStack()
        value: while true {
            let opening = try byte(at: offset)
            if opening == UInt8(ascii: "{") || opening == UInt8(ascii: "[") {
                guard openContainers + stack.depth < maximumDepth else { throw JSONError(.tooDeep, at: offset) }
                offset = skipWhitespace(offset + 1)
                // The code of a closing bracket is that of the opening one plus two.
                if try byte(at: offset) != opening + 2 {
                    let isObject = opening == UInt8(ascii: "{")
                    stack.push(isObject: isObject)
                    if isObject { offset = try scanKey(offset).value }
                    continue value
                }
                offset += 1
            } else {
                offset = try scanScalar(offset)
            }
            while stack.depth > 0 {
                offset = skipWhitespace(offset)
                let next = try byte(at: offset)
                if next == UInt8(ascii: ",") {
                    offset = skipWhitespace(offset + 1)
                    if stack.isInObject { offset = try scanKey(offset).value }
                    continue value
                }
                guard next == (stack.isInObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
                    throw JSONError(.syntax, at: offset)
                }
                stack.pop()
                offset += 1
            }
            return offset
        }
    }
}

/// The kinds of up to 128 open containers; the lowest bit is the innermost one.
private struct ContainerStack {
    private var low: UInt64 = 0
    private var high: UInt64 = 0
    private(set) var depth = 0

    @inline(__always)
    var isInObject: Bool { low & 1 != 0 }

    @inline(__always)
    mutating func push(isObject: Bool) {
        high = high << 1 | low >> 63
        low = low << 1 | (isObject ? 1 : 0)
        depth += 1
    }

    @inline(__always)
    mutating func pop() {
        low = low >> 1 | high << 63
        high >>= 1
        depth -= 1
    }
}
