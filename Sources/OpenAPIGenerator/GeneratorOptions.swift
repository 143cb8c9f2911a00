/// What is generated of a document, as `openapi-generator-config.yaml` has it.
package struct GeneratorOptions: Sendable, Equatable {
    package enum Part: String, Sendable, CaseIterable {
        case types
        case client
        case server

        var fileName: String {
            switch self {
            case .types: "Types.swift"
            case .client: "Client.swift"
            case .server: "Server.swift"
            }
        }
    }

    package var parts: [Part]
    package var access: CodeStyle.Access
    /// Modules that each file imports, such as that of the types.
    package var additionalImports: [String] = []

    package init(parts: [Part] = Part.allCases, access: CodeStyle.Access = .internal) {
        self.parts = parts
        self.access = access
    }

    /// Reads a configuration.
    ///
    /// - Parameter name: the file's name, for messages.
    /// - Throws: everything that is not understood, with its place.
    package init(yaml: String, named name: String) throws(GenerationFailure) {
        let diagnostics = Diagnostics(.library(.internal, name))
        let root = try DocumentNode(yaml: yaml, diagnostics: diagnostics)
        self.init(parts: [])
        if var members = Members(root, "the configuration", diagnostics) {
            parts = members.words("generate")
            if parts.isEmpty {
                diagnostics.report(root.position, "the configuration needs 'generate': types, client or server")
            }
            access = members.word("accessModifier") ?? .internal
            additionalImports = members.modules("additionalImports")
            members.finish()
        }
        try diagnostics.check()
    }
}

extension Members {
    fileprivate mutating func words<Word: RawRepresentable & CaseIterable>(_ name: String) -> [Word]
    where Word.RawValue == String {
        list(name).compactMap { word($0, name) }
    }

    fileprivate mutating func word<Word: RawRepresentable & CaseIterable>(_ name: String) -> Word?
    where Word.RawValue == String {
        node(name).flatMap { word($0, name) }
    }

    fileprivate mutating func modules(_ name: String) -> [String] {
        let nodes = list(name)
        for (node, text) in zip(nodes, strings(name)) where text.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) == nil {
            diagnostics.report(node.position, "'\(text)' is no name of a module")
        }
        return strings(name)
    }

    private func word<Word: RawRepresentable & CaseIterable>(_ node: DocumentNode, _ name: String) -> Word?
    where Word.RawValue == String {
        if case .string(let text) = node.value, let word = Word(rawValue: text) { return word }
        let known = Word.allCases.map(\.rawValue).joined(separator: ", ")
        diagnostics.report(node.position, "'\(name)' of \(subject) knows: \(known)")
        return nil
    }
}
