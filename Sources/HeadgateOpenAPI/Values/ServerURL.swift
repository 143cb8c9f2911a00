public import HeadgateHTTP

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The type of a URL, under a name that does not conflict with those of documents.
public typealias OpenAPIURL = URL

/// Error for a server URL of a document that cannot be used.
public struct InvalidServerURL: Error, Equatable, CustomStringConvertible {
    /// URL with the values of its variables.
    public let url: String

    public var description: String { "'\(url)' is no URL of a server: it begins with http:// or https:// and a host." }
}

extension BaseURL {
    /// Creates the URL of a server with variables.
    ///
    /// - Parameters:
    ///   - template: URL with the names of variables in braces.
    ///   - variables: Values of the variables by name.
    /// - Throws: ``InvalidServerURL`` if the values do not result in a valid URL.
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
    /// that requests fail and do not reach another server.
    public init(_ url: URL) {
        let place = try? BaseURL(template: url.absoluteString, variables: [:])
        self = place ?? BaseURL(endpoint: .tls(host: "no-server.invalid", port: 443), pathPrefix: url.path)
    }
}

extension URL {
    /// Creates the URL of a server. A Unix socket has no URL, and becomes `http://localhost`.
    init(_ base: BaseURL) {
        let scheme = if case .tls = base.endpoint { "https" } else { "http" }
        // A host that is invalid in a URL results in a URL that reaches no server.
        self = URL(string: "\(scheme)://\(base.authority)\(base.pathPrefix)") ?? URL(filePath: base.pathPrefix)
    }
}
