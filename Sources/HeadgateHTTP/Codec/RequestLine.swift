internal import HTTPTypes

/// `method SP target SP version` (RFC 9112 3), with the target reduced to a path.
struct RequestLine {
    let method: HTTPRequest.Method
    /// Origin-form with its query, or `*`.
    let path: String
    /// From an absolute-form target.
    let authority: String?
    let isHTTP10: Bool

    init(_ line: UnsafeRawBufferPointer, limits: HeadLimits) throws(HTTPSyntaxError) {
        guard let first = line.firstIndex(of: 0x20, from: 0), let second = line.firstIndex(of: 0x20, from: first + 1),
            line.firstIndex(of: 0x20, from: second + 1) == nil
        else { throw .badRequest("The request line must be: method, target, version, with single spaces.") }
        let methodBytes = line.slice(0..<first)
        guard ByteClass.isToken(methodBytes) else { throw .badRequest("The method is not a token.") }
        method = RequestLine.method(methodBytes)
        isHTTP10 = try RequestLine.readVersion(line.slice((second + 1)..<line.count))
        let target = line.slice((first + 1)..<second)
        guard target.count <= limits.target else { throw .targetTooLong }
        guard !target.isEmpty, target.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != 0x23 }) else {
            throw .badRequest("The request target holds a character that must be percent-encoded.")
        }
        (path, authority) = try RequestLine.split(target, method: method)
    }

    private static func method(_ bytes: UnsafeRawBufferPointer) -> HTTPRequest.Method {
        if ByteClass.equals(bytes, "POST") { return .post }
        if ByteClass.equals(bytes, "GET") { return .get }
        return HTTPRequest.Method(rawValue: String(decoding: bytes, as: UTF8.self)) ?? .get
    }

    /// - Returns: whether it is HTTP/1.0.
    private static func readVersion(_ bytes: UnsafeRawBufferPointer) throws(HTTPSyntaxError) -> Bool {
        guard bytes.count == 8, ByteClass.equals(bytes.slice(0..<5), "HTTP/"), bytes[6] == 0x2E,
            ByteClass.isDigit(bytes[5]), ByteClass.isDigit(bytes[7])
        else { throw .badRequest("The protocol version is malformed.") }
        guard bytes[5] == 0x31, bytes[7] <= 0x31 else { throw .versionNotSupported }
        return bytes[7] == 0x30
    }

    private static func split(
        _ target: UnsafeRawBufferPointer, method: HTTPRequest.Method
    ) throws(HTTPSyntaxError) -> (path: String, authority: String?) {
        let text = String(decoding: target, as: UTF8.self)
        if target[0] == 0x2F { return (text, nil) }
        if text == "*", method == .options { return (text, nil) }
        guard target.count > 7, ByteClass.equalsIgnoringCase(target.slice(0..<7), "http://") else {
            throw .badRequest("The request target must be a path, or an http:// URL of this server.")
        }
        let rest = text.dropFirst(7)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard Authority.isWellFormed(String(authority)) else {
            throw .badRequest("The request target's host is malformed.")
        }
        let path = rest[authority.endIndex...]
        return (path.first == "/" ? String(path) : "/" + path, String(authority))
    }
}
