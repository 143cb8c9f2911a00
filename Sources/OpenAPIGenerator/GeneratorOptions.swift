/// Options of the generator, as in `openapi-generator-config.yaml`.
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
    /// Modules that each file imports, such as the module with the types.
    package var additionalImports: [String] = []
    /// Lines of a comment at the beginning of each file.
    package var additionalFileComments: [String] = []
    package var namingStrategy = NamingStrategy.idiomatic
    /// Swift names by names in the document.
    package var nameOverrides: [String: String] = [:]
    /// Types of other modules, by the names of the schemas that they replace.
    package var typeOverrides: [String: String] = [:]
    /// Selection of the generated part of the document; nil for all of it.
    package var filter: DocumentFilter?
    /// Whether warnings are errors.
    package var isStrict = false

    package init(parts: [Part] = Part.allCases, access: CodeStyle.Access = .internal) {
        self.parts = parts
        self.access = access
    }

    /// Reads a configuration.
    ///
    /// - Parameter name: Name of the file, for messages.
    /// - Throws: ``GenerationFailure`` with all invalid settings and their positions.
    package init(yaml: String, named name: String) throws(GenerationFailure) {
        var style = CodeStyle.library(.internal, name)
        style.isStrict = true
        let diagnostics = Diagnostics(style)
        let root = try DocumentNode(yaml: yaml, diagnostics: diagnostics)
        self.init(parts: [])
        if var members = Members(root, "the configuration", diagnostics) {
            parts = members.words("generate")
            if parts.isEmpty {
                diagnostics.report(root.position, "the configuration needs 'generate': types, client or server")
            }
            access = members.word("accessModifier") ?? .internal
            additionalImports = members.modules("additionalImports")
            additionalFileComments = members.strings("additionalFileComments")
            namingStrategy = members.word("namingStrategy") ?? .idiomatic
            nameOverrides = members.names("nameOverrides")
            if let node = members.node("typeOverrides"), var types = Members(node, "'typeOverrides'", diagnostics) {
                typeOverrides = types.names("schemas")
                types.finish()
            }
            if let node = members.node("filter"), var parts = Members(node, "'filter'", diagnostics) {
                var filter = DocumentFilter()
                filter.paths = parts.strings("paths")
                filter.tags = parts.strings("tags")
                filter.operations = parts.strings("operations")
                filter.schemas = parts.strings("schemas")
                parts.finish()
                self.filter = filter
            }
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

    /// Reads Swift names by names in the document.
    fileprivate mutating func names(_ name: String) -> [String: String] {
        var names: [String: String] = [:]
        for member in named(name) {
            let text = member.value.text ?? ""
            if text.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_.<>, ?\[\]:]*/) == nil {
                diagnostics.report(member.value.position, "'\(text)' is no name in Swift")
            }
            names[member.key] = text
        }
        return names
    }

    private func word<Word: RawRepresentable & CaseIterable>(_ node: DocumentNode, _ name: String) -> Word?
    where Word.RawValue == String {
        if case .string(let text) = node.value, let word = Word(rawValue: text) { return word }
        let known = Word.allCases.map(\.rawValue).joined(separator: ", ")
        diagnostics.report(node.position, "'\(name)' of \(subject) knows: \(known)")
        return nil
    }
}

extension CodeStyle {
    static func library(_ options: GeneratorOptions, _ document: String) -> CodeStyle {
        var style = CodeStyle.library(options.access, document)
        style.names = SwiftNames(strategy: options.namingStrategy, overrides: options.nameOverrides)
        style.isStrict = options.isStrict
        style.typeOverrides = options.typeOverrides
        style.fileComments = options.additionalFileComments
        return style
    }
}
