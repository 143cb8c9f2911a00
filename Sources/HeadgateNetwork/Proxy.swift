/// HTTP proxy through which tunnels are opened with `CONNECT`.
package struct Proxy: Hashable, Sendable {
    /// Name or IP address, without brackets.
    package let host: String
    package let port: UInt16
    /// Value of `Proxy-Authorization`.
    private let authorization: String?

    /// - Parameter credential: `user:password`, sent as basic authentication.
    package init(host: String, port: UInt16, credential: String? = nil) {
        self.host = host
        self.port = port
        authorization = credential.map { "Basic " + Proxy.base64(Array($0.utf8)) }
    }

    /// Returns the head that requests a tunnel.
    ///
    /// - Parameter host: well-formed, without brackets.
    func request(for host: String, _ port: UInt16) -> [UInt8] {
        // The authority includes the port, even the default one (RFC 9110 section 9.3.6).
        let authority = Proxy.authority(host, port)
        var head = "CONNECT \(authority) HTTP/1.1\r\nHost: \(authority)\r\n"
        if let authorization { head += "Proxy-Authorization: \(authorization)\r\n" }
        return Array((head + "\r\n").utf8)
    }

    private static func authority(_ host: String, _ port: UInt16) -> String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    /// Returns the bytes in Base64 with padding (RFC 4648 section 4).
    static func base64(_ bytes: [UInt8]) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
            for index in 0..<4 {
                text.append(index <= group.count ? digits[Int(bits >> UInt32(18 - 6 * index) & 63)] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}

/// Hides the credential in descriptions and dumps.
extension Proxy: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { Proxy.authority(host, port) }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: ["host": host, "port": port]) }
}
