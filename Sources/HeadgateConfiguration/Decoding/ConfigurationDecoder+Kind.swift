internal import HeadgatePrimitives

extension ConfigurationDecoder {
    /// Reads the kind of an upstream. A provider's name supplies settings that the upstream's entry leaves out.
    mutating func kind(in fields: inout Fields) -> UpstreamKind? {
        let expectation = "\(Self.kinds) or a provider such as openrouter"
        let found = value("kind", of: fields, as: expectation, echo: .word) {
            (text) throws(InvalidValue) -> (UpstreamKind, KnownProvider?) in
            if let kind = UpstreamKind(rawValue: text) { return (kind, nil) }
            if let provider = KnownProvider.presets.first(where: { $0.name.isExactly(text) }) {
                return (provider.kind, provider)
            }
            let advice = nearest(text, in: KnownProvider.kinds).map { "; did you mean \(quoted($0))?" } ?? ""
            throw InvalidValue("expected \(expectation)\(advice)")
        }
        if let provider = found?.1, let entry = fields["kind"] { fill(&fields, by: provider, at: entry.keyPosition) }
        return found?.0
    }

    private static let kinds = UpstreamKind.allCases.map(\.rawValue).joined(separator: ", ")

    /// Adds the known settings of a provider, as if the file contained them.
    private mutating func fill(_ fields: inout Fields, by provider: KnownProvider, at position: SourcePosition) {
        func node(_ text: String) -> YAMLNode { YAMLNode(.scalar(text, isPlain: true), at: position) }
        presets[position] = provider.name
        // The provider's key must not be sent to another address.
        if fields.lacks("base_url"), let url = provider.url {
            fields.fill("base_url", with: node(url))
            if let variable = provider.keyVariable, fields.lacks("api_key"), fields.lacks("api_keys") {
                fields.fill("api_key", with: node("${\(variable)}"))
            }
        }
        if let speaks = provider.speaks, fields.lacks("speaks") {
            fields.fill("speaks", with: YAMLNode(.sequence(speaks.map { node($0.rawValue) }), at: position))
        }
    }
}
