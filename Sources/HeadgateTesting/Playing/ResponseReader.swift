internal import HTTPTypes
internal import HeadgateHTTP

/// Reads one response from bytes in arbitrary fragments.
struct ResponseReader {
    private var parser: ResponseHeadParser
    private var decoder: BodyDecoder?
    private(set) var head: ResponseHead?
    private(set) var isComplete = false

    init(method: String) {
        parser = ResponseHeadParser(requestMethod: HTTPRequest.Method(rawValue: method) ?? .get)
    }

    /// Whether the end of the connection is the end of the body.
    var endsWithConnection: Bool { decoder?.endsWithConnection ?? false }

    /// Consumes input up to the end of the head, or of the body if the head is known. Passes on the bytes of the body.
    ///
    /// - Returns: The number of consumed bytes.
    mutating func read(
        _ bytes: [UInt8], body: (UnsafeRawBufferPointer) -> Void
    ) throws(HTTPSyntaxError) -> Int {
        try bytes.withUnsafeBufferPointer { (bytes) throws(HTTPSyntaxError) in
            try read(UnsafeRawBufferPointer(bytes), body: body)
        }
    }

    private mutating func read(
        _ input: UnsafeRawBufferPointer, body: (UnsafeRawBufferPointer) -> Void
    ) throws(HTTPSyntaxError) -> Int {
        var offset = 0
        guard let head else {
            if let head = try parser.parse(input, &offset) {
                decoder = try BodyDecoder(head.bodyLength, limit: .max)
                isComplete = head.bodyLength == .fixed(0)
                self.head = head
            }
            return offset
        }
        guard !isComplete, head.bodyLength != .fixed(0) else { return 0 }
        while true {
            switch try decoder?.next(input, &offset) {
            case .data(let range)?: body(UnsafeRawBufferPointer(rebasing: input[range]))
            case .needsMore?, nil: return offset
            case .end?:
                isComplete = true
                return offset
            }
        }
    }
}
