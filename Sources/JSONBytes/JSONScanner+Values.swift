extension JSONScanner {
    /// The deepest nesting that `ContainerStack` can record.
    static let deepest = 128

    /// Reads one value whole, of any kind, and returns its end. No recursion: each open container is one bit.
    func scanValue(_ start: Int, openContainers: Int, maximumDepth: Int) throws(JSONError) -> Int {
        var offset = start
        var stack = ContainerStack()
        value: while true {
            switch try byte(at: offset) {
            case UInt8(ascii: "\""):
                offset = try scanString(offset).contents.upperBound &+ 1
            case UInt8(ascii: "{"):
                guard openContainers + stack.depth < maximumDepth else { throw JSONError(.tooDeep, at: offset) }
                offset = skipWhitespace(offset + 1)
                if try byte(at: offset) != UInt8(ascii: "}") {
                    stack.push(isObject: true)
                    offset = try scanKey(offset).value
                    continue value
                }
                offset += 1
            case UInt8(ascii: "["):
                guard openContainers + stack.depth < maximumDepth else { throw JSONError(.tooDeep, at: offset) }
                offset = skipWhitespace(offset + 1)
                if try byte(at: offset) != UInt8(ascii: "]") {
                    stack.push(isObject: false)
                    continue value
                }
                offset += 1
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                offset = try scanNumber(offset).end
            case UInt8(ascii: "n"):
                offset = try scanLiteral(offset, "null")
            case UInt8(ascii: "t"):
                offset = try scanLiteral(offset, "true")
            case UInt8(ascii: "f"):
                offset = try scanLiteral(offset, "false")
            default:
                throw JSONError(.syntax, at: offset)
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

/// The kinds of up to 128 open containers, the innermost in the lowest bit.
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
