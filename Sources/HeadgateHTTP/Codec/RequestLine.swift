internal import HTTPTypes

/// Request line: `method SP target SP version` (RFC 9112 3), with the target reduced to a path.
struct RequestLine {
    let method: HTTPRequest.Method
    /// Range of the origin-form with its query, or of `*`, in the line. It can lack the first slash after an
    /// absolute-form's authority.
    let path: Range<Int>
    /// Range of the authority of an absolute-form target.
    let authority: Range<Int>?
    let isHTTP10: Bool

    init(_ line: UnsafeRawBufferPointer, limits: HeadLimits) throws(HTTPSyntaxError) {
        guard let first = line.firstIndex(of: 0x20, from: 0), let second = line.firstIndex(of: 0x20, from: first + 1),
            line.firstIndex(of: 0x20, from: second + 1) == nil
        else { throw .badRequest("The request line must be: method, target, version, with single spaces.") }
        let methodBytes = line.slice(0..<first)
        guard ByteClass.isToken(methodBytes) else { throw .badRequest("The method is not a token.") }
        method = RequestLine.method(methodBytes)
        isHTTP10 = try RequestLine.readVersion(line.slice((second + 1)..<line.count))
        let target = (first + 1)..<second
        guard target.count <= limits.target else { throw .targetTooLong }
        guard !target.isEmpty, RequestLine.isPlain(line.slice(target)) else {
            throw .badRequest("The request target holds a character that must be percent-encoded.")
        }
        (path, authority) = try RequestLine.split(line, target, method: method)
    }

    private static func isPlain(_ target: UnsafeRawBufferPointer) -> Bool {
        for byte in target where byte <= 0x20 || byte >= 0x7F || byte == 0x23 { return false }
        return true
    }

    private static func method(_ bytes: UnsafeRawBufferPointer) -> HTTPRequest.Method {
        if ByteClass.equals(bytes, "POST") { return .post }
        if ByteClass.equals(bytes, "GET") { return .get }
        return HTTPRequest.Method(rawValue: String(decoding: bytes, as: UTF8.self)) ?? .get
    }

    /// - Returns: whether the version is HTTP/1.0.
    private static func readVersion(_ bytes: UnsafeRawBufferPointer) throws(HTTPSyntaxError) -> Bool {
        guard bytes.count == 8, ByteClass.equals(bytes.slice(0..<5), "HTTP/"), bytes[6] == 0x2E,
            ByteClass.isDigit(bytes[5]), ByteClass.isDigit(bytes[7])
        else { throw .badRequest("The protocol version is malformed.") }
        guard bytes[5] == 0x31, bytes[7] <= 0x31 else { throw .versionNotSupported }
        return bytes[7] == 0x30
    }

    private static func split(
        _ line: UnsafeRawBufferPointer, _ target: Range<Int>, method: HTTPRequest.Method
    ) throws(HTTPSyntaxError) -> (path: Range<Int>, authority: Range<Int>?) {
        let start = target.lowerBound
        if line[start] == 0x2F { return (target, nil) }
        if target.count == 1, line[start] == 0x2A, method == .options { return (target, nil) }
        guard target.count > 7, ByteClass.equalsIgnoringCase(line.slice(start..<(start + 7)), "http://") else {
            throw .badRequest("The request target must be a path, or an http:// URL of this server.")
        }
        var end = start + 7
        while end < target.upperBound, line[end] != 0x2F, line[end] != 0x3F { end += 1 }
        let authority = (start + 7)..<end
        guard Authority.isWellFormed(line.slice(authority)) else {
            throw .badRequest("The request target's host is malformed.")
        }
        return (end..<target.upperBound, authority)
    }
}
