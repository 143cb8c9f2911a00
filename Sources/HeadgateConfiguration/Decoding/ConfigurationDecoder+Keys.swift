extension ConfigurationDecoder {
    mutating func keys(_ entry: YAMLEntry?) -> [KeyConfiguration] {
        guard let entry, !entry.value.isNull,
            let items = list(entry.value, place: "keys", of: "keys such as {name: laptop, sha256: ...}")
        else { return [] }
        var names: [String: SourcePosition] = [:]
        var digests: [[UInt8]: SourcePosition] = [:]
        return items.compactMap { key($0, names: &names, digests: &digests) }
    }

    private mutating func key(
        _ node: YAMLNode, names: inout [String: SourcePosition], digests: inout [[UInt8]: SourcePosition]
    ) -> KeyConfiguration? {
        guard let fields = fields(of: node, known: ["name", "sha256", "models", "expires"], in: "a key") else {
            return nil
        }
        if fields.lacks("name") { issues.add("a key has no name: add name: laptop", at: node.position) }
        if fields.lacks("sha256") {
            issues.add("a key has no sha256: add sha256: and \(Digest.expected)", at: node.position)
        }
        let name = fields["name"].flatMap { entry in
            decode(entry, as: "a name") { (text) throws(InvalidValue) in
                let name = try Name.checkKey(text)
                try Self.claim(name, at: entry.value.position, in: &names, rename: "choose another name")
                return name
            }
        }
        let digest = fields["sha256"].flatMap { entry in
            decode(entry, as: Digest.expected, echo: .nothing) { (text) throws(InvalidValue) in
                let digest = try Digest.parse(text)
                try Self.claim(digest, at: entry.value.position, in: &digests, rename: "make a new key, or remove one")
                return digest
            }
        }
        let models = keyModels(fields["models"])
        let expires = fields["expires"].flatMap { entry in
            decode(entry, as: RFC3339Date.expected) { (text) throws(InvalidValue) in
                try RFC3339Date.unixSeconds(text)
            }
        }
        guard let name, let digest else { return nil }
        return KeyConfiguration(name: name, digest: digest, models: models, expires: expires)
    }

    private mutating func keyModels(_ entry: YAMLEntry?) -> [String] {
        guard let entry else { return ["*"] }
        guard let items = list(entry.value, place: "models", of: "public names or patterns, such as [\"*\"]") else {
            return []
        }
        if items.isEmpty {
            issues.add("models: the list is empty: name a model, or remove it to allow all", at: entry.value.position)
        }
        return items.compactMap { item in
            decode(item, in: "models", as: "a public name or pattern") { (text) throws(InvalidValue) in
                try Name.checkModelPattern(text)
            }
        }
    }

    private static func claim<Value: Hashable>(
        _ value: Value, at position: SourcePosition, in taken: inout [Value: SourcePosition], rename: String
    ) throws(InvalidValue) {
        if let first = taken[value] {
            throw InvalidValue("taken by the key at line \(first.line): \(rename)")
        }
        taken[value] = position
    }
}
