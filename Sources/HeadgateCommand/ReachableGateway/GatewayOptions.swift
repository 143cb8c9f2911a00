import ArgumentParser
import HeadgateConfiguration
import HeadgateHTTP
import HeadgateLibC
import HeadgateNetwork
import HeadgateService

/// Options that select the gateway of a command.
struct GatewayOptions: ParsableArguments {
    @OptionGroup var configuration: ConfigurationOptions

    @Option(
        help: ArgumentHelp(
            "Address of the gateway (or HEADGATE_URL); default: the address that the configuration has.",
            valueName: "url"))
    var url: String?

    @Option(
        name: .customLong("key-file"),
        help: ArgumentHelp(
            "File with a key of the gateway (HEADGATE_KEY has the key itself); default: the key that the gateway made.",
            valueName: "path"),
        completion: .file())
    var keyFile: String?

    /// Returns the explicitly selected address; nil if there is none.
    ///
    /// - Throws: ``Complaint``.
    func chosenURL(_ environment: [String: String]) throws -> UpstreamURL? {
        let variable = environment["HEADGATE_URL"].flatMap { $0.isEmpty ? nil : $0 }
        guard let text = url ?? variable else { return nil }
        do {
            return try UpstreamURL(parsing: text, allowingPlainHTTP: true)
        } catch {
            throw Complaint("\(url == nil ? "HEADGATE_URL" : "--url"): \(error.message)")
        }
    }

    /// Returns the given key; nil if there is none. Keys are never read from the command line, which other users can
    /// see.
    ///
    /// - Throws: ``Complaint``.
    func givenKey(_ environment: [String: String]) throws -> String? {
        if let keyFile { return try GatewayOptions.key(inFile: keyFile) }
        guard let key = environment["HEADGATE_KEY"], !key.isEmpty else { return nil }
        return try GatewayOptions.checked(key, from: "HEADGATE_KEY")
    }

    private static func key(inFile path: String) throws -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Complaint("cannot read \(path): \(systemErrorText(errno))") }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 8192)
        let count = read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw Complaint("cannot read \(path): \(systemErrorText(errno))") }
        return try checked(String(decoding: bytes[..<count], as: UTF8.self), from: path)
    }

    private static func checked(_ text: String, from source: String) throws -> String {
        let key = text.filter { !$0.isWhitespace }
        guard !key.isEmpty, key.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw Complaint("\(source) holds no key")
        }
        return key
    }
}

extension BaseURL {
    /// The gateway's root URL, without the `/v1` of its routes.
    var withoutVersion: BaseURL {
        pathPrefix.hasSuffix("/v1") ? BaseURL(endpoint: endpoint, pathPrefix: String(pathPrefix.dropLast(3))) : self
    }

    /// The URL as people and SDKs write it; nil for a Unix socket, which cannot be expressed.
    var text: String? {
        switch endpoint {
        case .unix: nil
        case .tcp: "http://\(authority)\(pathPrefix)"
        case .tls: "https://\(authority)\(pathPrefix)"
        }
    }
}
