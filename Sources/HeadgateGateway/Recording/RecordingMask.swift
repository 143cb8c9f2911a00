internal import HTTPTypes
internal import HeadgateCassettes
internal import HeadgateConfiguration
internal import HeadgatePrimitives

/// What is written of an exchange: nothing that proves who somebody is, or tells whose account it was.
struct RecordingMask: Sendable {
    private static let mark = "***"
    /// Fields of a message's frame, which say nothing about a body that is kept as it was read.
    private static let ofFraming: Set<String> = [
        "connection", "content-encoding", "content-length", "keep-alive", "trailer", "transfer-encoding", "upgrade",
    ]
    private static let credentials: Set<String> = [
        "authorization", "proxy-authorization", "x-api-key", "api-key", "cookie", "set-cookie", "set-cookie2",
        "x-goog-api-key",
    ]

    private let redaction: SecretRedaction
    /// Names, in lower case, of configured fields whose values are secrets.
    private let names: Set<String>

    /// - Parameter secrets: besides those of the upstreams.
    init(_ definitions: [UpstreamDefinition], secrets: [Secret] = []) {
        let headers = definitions.flatMap(\.configuration.headers)
        let variables = definitions.flatMap { $0.configuration.command?.environment.map(\.value) ?? [] }
        let proxies = definitions.compactMap(\.configuration.proxy?.credential)
        redaction = SecretRedaction(
            keys: definitions.flatMap(\.credentials) + secrets + variables + proxies, headers: headers)
        names = RecordingMask.credentials.union(
            headers.map(\.name.lowercasedASCII).filter { !SecretRedaction.isPublic($0) })
    }

    func text(_ text: String) -> String { redaction.masked(text) ?? text }

    /// Writes a `*` in place of every octet of a secret, so that the body stays as long as it was and is cut as it was.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    func hide(in body: inout [UInt8]) -> Bool { redaction.star(&body) }

    /// The fields that are kept, without what they must not tell.
    func fields(_ fields: [HTTPField]) -> [Cassette.Field] {
        fields.compactMap { field in
            let name = field.name.canonicalName
            guard !names.contains(name), !RecordingMask.ofFraming.contains(name), !RecordingMask.isOfAccount(name),
                Cassette.isFieldName(name)
            else { return nil }
            return Cassette.Field(name, text(RecordedRoute.withoutCredentials(field.value)))
        }
    }

    /// Whether a field names the organisation or the project that pays.
    private static func isOfAccount(_ name: String) -> Bool {
        name.contains("organization") || name.contains("organisation") || name.contains("project")
            || name.contains("account")
    }
}
