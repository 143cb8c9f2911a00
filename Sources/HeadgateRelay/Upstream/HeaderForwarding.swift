package import HTTPTypes
package import HeadgateHTTP

/// Forwards the client headers that the configuration names, and those that request a feature from the upstream.
package final class HeaderForwarding: Sendable {
    private let names: [HTTPField.Name]
    /// Names to look for in a request: the configured ones, and those of features.
    private let all: FieldNames
    /// Betas that are never forwarded to the upstream, even if the client requests them.
    private let stripped: Set<String>

    init(_ names: [String], strippedBetas: [String] = []) {
        self.names = names.compactMap { HTTPField.Name($0) }
        all = FieldNames(self.names + HeaderForwarding.features)
        stripped = Set(strippedBetas)
    }

    /// Returns whether the client sends any of the forwarded headers.
    func applies(to client: HeadFields) -> Bool { client.contains(anyOf: all) }

    /// Headers that request a feature of an upstream's API and contain no credential.
    private static let features: [HTTPField.Name] = [.openAIBeta, .anthropicBeta, .xClientRequestID, .idempotencyKey]

    /// Adds the client's headers that request a feature and contain no credential. The configuration's own settings for
    /// one of these headers take precedence.
    ///
    /// - Parameters:
    ///   - caller: name of the client's key.
    ///   - model: the upstream's name for the model.
    func addFeatures(
        of client: HeadFields, in dialect: Dialect, caller: String, model: String, to fields: inout HTTPFields
    ) {
        let beta: HTTPField.Name = if case .anthropic = dialect { .anthropicBeta } else { .openAIBeta }
        for field in forwardable(beta, of: client) {
            let betas = field.value.split(separator: ",").map { $0.filter { $0 != " " && $0 != "\t" } }
            let wanted = betas.filter { !stripped.contains($0) }
            if wanted.count == betas.count {
                fields.append(field)
            } else if !wanted.isEmpty {
                fields.append(HTTPField(name: beta, value: wanted.joined(separator: ",")))
            }
        }
        for field in forwardable(.xClientRequestID, of: client) { fields.append(field) }
        for field in forwardable(.idempotencyKey, of: client).prefix(1) {
            // Callers can use the same key for different requests, and the gateway can try several models.
            let parts = [caller, model, field.value].map { "\($0.utf8.count):\($0)" }
            let digest = KeyDigest(of: parts.joined().utf8)
            fields.append(HTTPField(name: .idempotencyKey, value: digest.hexadecimal))
        }
    }

    package func apply(_ client: HeadFields, to fields: inout HTTPFields) {
        for name in names {
            let own = forwardable(name, of: client)
            guard !own.isEmpty else { continue }
            fields[name] = nil
            for field in own { fields.append(field) }
        }
    }

    /// Returns the client's headers of that name. Leaves out hop-by-hop headers, and values that are not ASCII, which
    /// servers decode differently.
    private func forwardable(_ name: HTTPField.Name, of client: HeadFields) -> [HTTPField] {
        let own = client.all(named: name)
        guard !own.isEmpty, !isOfConnection(name, client) else { return [] }
        return own.filter { $0.value.utf8.allSatisfy { $0 < 0x80 } }
    }

    /// Returns whether `Connection` lists the header as hop-by-hop (RFC 9110 section 7.6.1).
    private func isOfConnection(_ name: HTTPField.Name, _ client: HeadFields) -> Bool {
        client.all(named: .connection).contains { field in
            field.value.split(separator: ",").contains { listed in
                listed.filter { $0 != " " && $0 != "\t" }.lowercased() == name.canonicalName
            }
        }
    }
}
