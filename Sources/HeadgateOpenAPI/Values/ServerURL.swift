public import HeadgateHTTP

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The type of a URL, by a name that no document has.
public typealias OpenAPIURL = URL

/// A URL of a document's server that cannot be used.
public struct InvalidServerURL: Error, Equatable, CustomStringConvertible {
    /// The URL, with the values of its variables.
    public let url: String

    public var description: String { "'\(url)' is no URL of a server: it begins with http:// or https:// and a host." }
}

extension BaseURL {
    /// The URL of a server with variables.
    ///
    /// - Parameters:
    ///   - template: with the names of variables in braces.
    ///   - variables: the values.
    /// - Throws: ``InvalidServerURL`` where the values make no URL.
    public init(template: String, variables: [String: String]) throws {
        var url = template
        for (name, value) in variables { url = url.replacing("{\(name)}", with: value) }
        let isTLS = url.hasPrefix("https://")
        let isPlain = url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"{}?#@\"\\".utf8.contains($0) }
        guard isPlain, isTLS || url.hasPrefix("http://") else { throw InvalidServerURL(url: url) }
        let rest = url.dropFirst(isTLS ? 8 : 7)
        let authority = rest.prefix { $0 != "/" }
        var host = authority
        var port: UInt16 = isTLS ? 443 : 80
        if let colon = authority.lastIndex(of: ":"), !authority.hasSuffix("]") {
            guard let number = UInt16(authority[colon...].dropFirst()), number > 0 else {
                throw InvalidServerURL(url: url)
            }
            host = authority[..<colon]
            port = number
        }
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        guard !host.isEmpty else { throw InvalidServerURL(url: url) }
        var path = rest.dropFirst(authority.count)
        while path.hasSuffix("/") { path = path.dropLast() }
        let name = String(host)
        self.init(
            endpoint: isTLS ? .tls(host: name, port: port) : .tcp(host: name, port: port), pathPrefix: String(path))
    }

    /// Creates a server URL from a `URL`. A URL without http:// or https:// becomes one with a nonexistent host, so
    /// that requests fail and reach no other server.
    public init(_ url: URL) {
        let place = try? BaseURL(template: url.absoluteString, variables: [:])
        self = place ?? BaseURL(endpoint: .tls(host: "no-server.invalid", port: 443), pathPrefix: url.path)
    }
}

extension URL {
    /// URL of the server. A Unix socket has no URL, and is `http://localhost`.
    init(_ base: BaseURL) {
        let scheme = if case .tls = base.endpoint { "https" } else { "http" }
        // A host that no URL can have gives one that leads nowhere.
        self = URL(string: "\(scheme)://\(base.authority)\(base.pathPrefix)") ?? URL(filePath: base.pathPrefix)
    }
}
