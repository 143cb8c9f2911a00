internal import HTTPTypes
internal import HeadgateHTTP

/// Checks that the HTTP/1.1 codec reads the same messages, in both directions, for all ways of delivery.
enum HTTPFuzzing {
    private static let bodyLimit = 1 << 20

    /// The events of a connection, as text.
    private struct Trace: Equatable, CustomStringConvertible {
        var lines: [String] = []
        var body: [UInt8] = []
        var description: String { "\(lines) \(body)" }

        mutating func note(_ fields: HeadFields) {
            lines += fields.all(where: { _ in true }).map { "\($0.name): \($0.value)" }
        }

        mutating func note(_ error: HTTPSyntaxError) { lines.append("\(error.status) \(error.explanation)") }
    }

    static func requests(_ input: [UInt8]) throws(FuzzFinding) {
        try Splitting.compare(input) { input, splitting in
            var trace = Trace()
            var parser = RequestHeadParser()
            read(input, splitting, &trace) { bytes, offset, trace throws(HTTPSyntaxError) in
                guard let head = try parser.parse(bytes, &offset) else { return nil }
                trace.lines.append("\(head.method) \(head.bodyLength) \(head.isHTTP10) \(head.closes)")
                trace.lines.append(head.withPath { String(decoding: $0, as: UTF8.self) })
                trace.lines.append(head.withAuthority { String(decoding: $0, as: UTF8.self) })
                trace.note(head.fields)
                return head.bodyLength
            }
            return trace
        }
    }

    static func responses(_ input: [UInt8]) throws(FuzzFinding) {
        try Splitting.compare(input) { input, splitting in
            var trace = Trace()
            read(input, splitting, &trace, parser: ResponseHeadParser(requestMethod: .post))
            return trace
        }
    }

    /// Reads chunked bodies. The first byte selects the limit of a body.
    static func chunks(_ input: [UInt8]) throws(FuzzFinding) {
        guard let first = input.first else { return }
        try Splitting.compare(Array(input.dropFirst())) { input, splitting in
            var trace = Trace()
            read(input, splitting, &trace, limit: first < 128 ? 16 : bodyLimit) { _, _, _ in .chunked }
            return trace
        }
    }

    private static func read(
        _ input: [UInt8], _ splitting: Splitting, _ trace: inout Trace, parser: ResponseHeadParser
    ) {
        var parser = parser
        read(input, splitting, &trace) { bytes, offset, trace throws(HTTPSyntaxError) in
            guard let head = try parser.parse(bytes, &offset) else { return nil }
            trace.lines.append("\(head.status) \(head.bodyLength) \(head.closes)")
            trace.note(head.fields)
            return head.bodyLength
        }
    }

    /// Reads messages until the first fault.
    private static func read(
        _ input: [UInt8], _ splitting: Splitting, _ trace: inout Trace, limit: Int = bodyLimit,
        head: (UnsafeRawBufferPointer, inout Int, inout Trace) throws(HTTPSyntaxError) -> BodyLength?
    ) {
        var body: BodyDecoder?
        splitting.deliver(input) { bytes in
            var offset = 0
            do throws(HTTPSyntaxError) {
                while true {
                    guard body != nil else {
                        guard offset < bytes.count, let length = try head(bytes, &offset, &trace) else { return true }
                        body = try BodyDecoder(length, limit: limit)
                        continue
                    }
                    switch try body!.next(bytes, &offset) {
                    case .data(let range): trace.body += bytes[range]
                    case .needsMore: return true
                    case .end:
                        trace.lines.append("end after \(trace.body.count)")
                        body = nil
                    }
                }
            } catch {
                trace.note(error)
                return false
            }
        }
    }
}

/// Checks that forms have the same parts for all ways of delivery.
enum MultipartFuzzing {
    static func run(_ input: [UInt8]) throws(FuzzFinding) {
        guard let boundary = MultipartBoundary(contentType: "multipart/form-data; boundary=xx-y") else { return }
        try Splitting.compare(input) { input, splitting in
            var (reader, trace, isFine) = (MultipartReader(boundary), [String](), true)
            splitting.deliver(input) { bytes in
                var offset = 0
                do throws(MultipartError) {
                    while true {
                        let step = try reader.next(bytes, &offset)
                        if step == .needsMore { return true }
                        if case .content(let range) = step {
                            guard range.upperBound <= input.count else { fatalError("content beyond the body") }
                            trace.append(String(decoding: input[range], as: UTF8.self))
                        }
                        trace.append("\(step)")
                    }
                } catch {
                    (isFine, trace) = (false, trace + ["\(error)"])
                    return false
                }
            }
            guard isFine else { return trace }
            do throws(MultipartError) { try reader.finish() } catch { trace.append("\(error)") }
            return trace
        }
    }
}
