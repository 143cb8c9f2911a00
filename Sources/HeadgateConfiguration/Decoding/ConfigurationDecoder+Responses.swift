extension ConfigurationDecoder {
    /// Reads the store for responses; nil if the gateway stores none.
    mutating func responses(in fields: Fields) -> ResponseStoreConfiguration? {
        guard let entry = fields["responses"] else {
            recordStandard("responses", of: fields)
            return nil
        }
        let fields = section("responses", of: fields, as: .responses)
        if fields.lacks("store") {
            issues.add(
                "responses has no store: add store: and how long responses are kept, such as 1d", at: entry.keyPosition)
        }
        let lifetime = value("store", of: fields, as: DurationText.expectedLifetime) { (text) throws(InvalidValue) in
            try DurationText.parseLifetime(text)
        }
        let file = value("file", of: fields, as: "an absolute path") { (text) throws(InvalidValue) in
            guard text.hasPrefix("/"), !text.hasSuffix("/"), !text.utf8.contains(0) else {
                throw InvalidValue("expected an absolute path of a file")
            }
            return text
        }
        let size = value("max_size", of: fields, as: ByteSize.expected) { (text) throws(InvalidValue) in
            try ByteSize.parse(text)
        }
        guard let lifetime else { return nil }
        return ResponseStoreConfiguration(
            lifetime: lifetime, file: file, maximumSize: size ?? ResponseStoreConfiguration.standardSize)
    }
}
