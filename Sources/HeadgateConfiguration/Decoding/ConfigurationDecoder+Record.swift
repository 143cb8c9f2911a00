extension ConfigurationDecoder {
    /// Reads the recording; nil if nothing is recorded or replayed.
    mutating func record(in file: Fields) -> RecordConfiguration? {
        guard let entry = file["record"],
            let fields = fields(of: entry.value, as: .record, at: file.path.key("record"), in: "record")
        else { return nil }
        let folder = folder(in: fields, at: entry)
        let mode = choice("mode", of: fields, as: RecordConfiguration.Mode.self) ?? .record
        var record = RecordConfiguration(folder: folder ?? "", mode: mode)
        if let bodies = flag("bodies", of: fields) { record.bodies = bodies }
        let ignored = values("ignore", of: fields, list: "member names", each: "the name of a member") {
            (text) throws(InvalidValue) in
            guard (1...256).contains(text.utf8.count) else { throw InvalidValue("expected a name of 1 to 256 bytes") }
            guard text != "model" else {
                throw InvalidValue("one model's recording would answer for another: remove it")
            }
            return text
        }
        if let ignored { record.ignored = ignored }
        if let pace = choice("pace", of: fields, as: RecordConfiguration.Pace.self) { record.pace = pace }
        if !record.bodies, mode != .record, let entry = fields["bodies"] {
            issues.add(
                "bodies: what has no bodies cannot be replayed: remove it, or set mode: record",
                at: entry.value.position)
        }
        return folder == nil ? nil : record
    }

    private mutating func folder(in fields: Fields, at entry: YAMLEntry) -> String? {
        guard fields["folder"] != nil else {
            if fields.lacks("folder") {
                issues.add("record: 'folder' is missing: name the folder of the recordings", at: entry.keyPosition)
            }
            return nil
        }
        return self.folder("folder", in: fields)
    }

    /// Reads the path of a folder, relative to the configuration file's own folder.
    mutating func folder(_ key: String, in fields: Fields) -> String? {
        let file = issues.file
        return value(key, of: fields, as: "the path of a folder") { (text) throws(InvalidValue) in
            guard !text.isEmpty, text.utf8.count <= 3500, !text.utf8.contains(where: { $0 < 0x20 }) else {
                throw InvalidValue("expected the path of a folder")
            }
            guard !text.hasPrefix("/"), let slash = file.utf8.lastIndex(of: UInt8(ascii: "/")) else { return text }
            return "\(file[...slash])\(text)"
        }
    }
}
