internal import HTTPTypes
internal import HeadgateCassettes
internal import HeadgateConfiguration
internal import HeadgatePrimitives
internal import HeadgateRelay

/// Mask for written exchanges. It removes credentials, and headers that reveal the account.
struct RecordingMask: Sendable {
    private static let mark = "***"
    /// Headers of a message's framing, which do not describe a body that is recorded as it was read.
    private static let ofFraming: Set<String> = [
        "connection", "content-encoding", "content-length", "keep-alive", "trailer", "transfer-encoding", "upgrade",
    ]

    private let redaction: SecretRedaction
    /// Keys that programs print.
    private let issuedKeys: [IssuedKeys]
    /// Names, in lower case, of headers whose values are secrets.
    private let names: Set<String>

    /// - Parameter secrets: secrets besides those of the upstreams.
    init(_ definitions: [UpstreamDefinition], secrets: [Secret] = []) {
        let headers = definitions.flatMap(\.configuration.headers)
        let variables = definitions.flatMap { $0.configuration.command?.environment.map(\.value) ?? [] }
        let proxies = definitions.compactMap(\.configuration.proxy?.credential)
        redaction = SecretRedaction(
            keys: definitions.flatMap(\.credentials) + secrets + variables + proxies, headers: headers)
        issuedKeys = definitions.compactMap(\.issuedKeys)
        names = SecretMask.names(of: headers)
    }

    /// Redaction of the keys that programs have printed by now; nil if no program prints any.
    private var issued: SecretRedaction? {
        issuedKeys.isEmpty ? nil : SecretRedaction(keys: issuedKeys.flatMap { $0.known() })
    }

    func text(_ text: String) -> String {
        let known = redaction.masked(text) ?? text
        return issued?.masked(known) ?? known
    }

    /// Replaces every byte of a secret with `*`, so that the body keeps its length and its cuts.
    ///
    /// - Returns: whether there was a secret.
    @discardableResult
    func hide(in body: inout [UInt8]) -> Bool {
        let hidIssued = issued?.star(&body) ?? false
        return redaction.star(&body) || hidIssued
    }

    /// Returns the headers that are recorded, without credentials.
    func fields(_ fields: [HTTPField]) -> [Cassette.Field] {
        fields.compactMap { field in
            let name = field.name.canonicalName
            guard !names.contains(name), !RecordingMask.ofFraming.contains(name), !RecordingMask.isOfAccount(name),
                Cassette.isFieldName(name)
            else { return nil }
            return Cassette.Field(name, text(RecordedRoute.withoutCredentials(field.value)))
        }
    }

    /// Returns whether a header names the organization or the project that pays.
    private static func isOfAccount(_ name: String) -> Bool {
        name.contains("organization") || name.contains("organisation") || name.contains("project")
            || name.contains("account")
    }
}
