/// The entries of a mapping whose keys are known in advance.
struct Fields {
    let declaration: MappingDeclaration
    let path: SettingPath
    /// Path from which missing keys inherit values, instead of their declarations.
    var inherited: SettingPath?
    /// Keys that have no meaning here, and so no default.
    var leftOut: [String] = []
    private var entries: [String: YAMLEntry] = [:]
    /// Known keys that an unknown key probably means.
    private var misspelt: Set<String> = []

    /// Creates a missing mapping, in which every key has its default.
    init(_ declaration: MappingDeclaration, at path: SettingPath) {
        self.declaration = declaration
        self.path = path
    }

    /// The first entry with a key; nil if it is missing, or empty with the same meaning.
    subscript(key: String) -> YAMLEntry? {
        assert(declaration[key] != nil, "\(declaration.name) declares no \(key)")
        guard let entry = entries[key] else { return nil }
        return entry.value.isNull && declaration[key]?.mayBeEmpty == true ? nil : entry
    }

    /// Returns whether the mapping has neither the key nor a misspelling of it. Misspellings are reported elsewhere.
    func lacks(_ key: String) -> Bool {
        self[key] == nil && !misspelt.contains(key)
    }

    fileprivate mutating func insert(_ entry: YAMLEntry) {
        if entries[entry.key] == nil { entries[entry.key] = entry }
    }

    /// Adds an entry that is not in the file.
    mutating func fill(_ key: String, with value: YAMLNode) {
        insert(YAMLEntry(key: key, keyPosition: value.position, value: value))
    }

    fileprivate mutating func insertMisspelling(of key: String) {
        misspelt.insert(key)
    }
}

extension ConfigurationDecoder {
    /// Returns the entries of a mapping with known keys. Unknown keys and nodes of another type become issues, in which
    /// `place` names the node.
    mutating func fields(
        of node: YAMLNode, as declaration: MappingDeclaration, at path: SettingPath, in place: String
    ) -> Fields? {
        let known = declaration.names
        guard let entries = mapping(node, place: place, of: "the keys \(known.joined(separator: ", "))") else {
            return nil
        }
        var fields = Fields(declaration, at: path)
        for entry in entries {
            if known.contains(entry.key) {
                fields.insert(entry)
                continue
            }
            let meant = issues.isFull ? nil : nearest(entry.key, in: known)
            if let meant { fields.insertMisspelling(of: meant) }
            let advice =
                meant.map { "did you mean \(quoted($0))?" } ?? "\(place) takes \(known.joined(separator: ", "))"
            issues.add("unknown key \(quoted(entry.key)): \(advice)", at: entry.keyPosition)
        }
        return fields
    }

    /// Returns the fields of a mapping. If its key is missing, every key in it has its default.
    mutating func section(_ key: String, of fields: Fields, as declaration: MappingDeclaration) -> Fields {
        let path = fields.path.key(key)
        guard let entry = fields[key] else { return Fields(declaration, at: path) }
        return self.fields(of: entry.value, as: declaration, at: path, in: key) ?? Fields(declaration, at: path)
    }

    /// Returns the entries of a mapping with any keys; `content` describes it in an issue.
    mutating func mapping(_ node: YAMLNode, place: String, of content: String) -> [YAMLEntry]? {
        if case .mapping(let entries) = node.content { return entries }
        expected("a mapping of \(content)", found: node, in: place)
        return nil
    }

    /// Returns the items of a list; `content` describes it in an issue.
    mutating func list(_ node: YAMLNode, place: String, of content: String) -> [YAMLNode]? {
        if case .sequence(let items) = node.content { return items }
        expected("a list of \(content)", found: node, in: place)
        return nil
    }

    /// Adds an issue about a node of the wrong type, without its text.
    mutating func expected(_ expectation: String, found node: YAMLNode, in place: String) {
        let found: String
        switch node.content {
        case .scalar: found = node.isNull ? "nothing" : "text"
        case .sequence: found = "a list"
        case .mapping: found = "a mapping"
        case .refused: return
        }
        issues.add("\(place): found \(found), expected \(expectation)", at: node.position)
    }
}
