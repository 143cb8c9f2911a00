/// A file of generated Swift code.
package struct GeneratedFile: Equatable, Sendable {
    /// Path in the output folder.
    package let path: String
    package let text: String
    /// Whether the file describes the contract without types for its messages. A server that relays messages needs only
    /// these files.
    package var isContract: Bool { path == "OperationTable.swift" || path.hasPrefix("Document/") }

    /// Returns empty files for the parts that were not generated.
    package static func placeholders(beside files: [GeneratedFile]) -> [GeneratedFile] {
        GeneratorOptions.Part.allCases.map(\.fileName).filter { name in !files.contains { $0.path == name } }
            .map {
                GeneratedFile(path: $0, text: "// Nothing is generated here: the configuration does not ask for it.\n")
            }
    }
}

/// Generates Swift code from an OpenAPI document, in the form of Swift OpenAPI Generator. The same document always
/// results in the same text. `docs/generator.md` lists the supported features; everything else is an error with its
/// position.
package enum SourceGenerator {
    /// Generates the files of the gateway's own contract. Its rules are stricter (``GatewayRules``), and all relayed
    /// bodies are carried as bytes.
    ///
    /// - Parameter name: Name of the document's file, for messages.
    /// - Throws: ``GenerationFailure`` with everything in the document that is not supported.
    package static func files(of yaml: String, named name: String) throws(GenerationFailure) -> [GeneratedFile] {
        let reading = try Reading(yaml, .gateway(name))
        let sources = sources(of: reading)
        try reading.diagnostics.check()
        let document = DocumentWriter.files(yaml: yaml, json: reading.root.json(linesToDepth: 2), reading.style)
            .map { ("Document/\($0.name)", $0.text) }
        return (sources + document).map { GeneratedFile(path: "\($0.0).swift", text: $0.1.text) }
            .sorted { $0.path < $1.path }
    }

    private static func sources(of reading: Reading) -> [(String, SourceText)] {
        let (contract, style) = (reading.contract, reading.style)
        let writers = Writers(reading)
        let table = writers.table
        var files = [
            ("APIProtocol", table.apiProtocol()), ("APIProtocol+Defaults", table.defaults()),
            ("APIProtocol+Overloads", table.overloads()), ("Client", table.client()),
            ("Namespaces", table.namespaces()), ("OperationTable", table.operationTable()),
            ("ServerRegistration", table.serverRegistration()),
            ("HeaderNames", table.headerNames(contract.headerNames)),
        ]
        for operation in contract.operations {
            files.append(("Operations/\(operation.type)", writers.operations.file(for: operation)))
        }
        for (name, response) in contract.responses {
            let imports = writers.responses.declaresBytes(response) ? ["public import HeadgateHTTP"] : []
            var file = SourceText(style, imports: imports)
            writers.declareComponent(response, name, in: &file)
            files.append(("Responses/\(contract.responseTypes[name] ?? name)Response", file))
        }
        writers.responses.declareShared { name, hasBytes, declare in
            var file = SourceText(style, imports: hasBytes ? ["public import HeadgateHTTP"] : [])
            file.block("extension \(SharedTypes.namespace)", declare)
            files.append(("Shared/\(name)", file))
        }
        for (name, schema) in writers.namedSchemas() {
            var file = SourceText(style)
            writers.declareComponent(schema, name, in: &file)
            files.append(("Schemas/\(contract.schemas.type(name))Schema", file))
        }
        return files
    }

    /// Generates the files of a document: those of `Types.swift`, `Client.swift` and `Server.swift` that are requested.
    ///
    /// - Parameter name: Name of the document's file, for messages.
    /// - Throws: Problems that prevent generation. With strict options, these include all warnings.
    package static func files(
        of yaml: String, named name: String, _ options: GeneratorOptions
    ) throws(GenerationFailure) -> [GeneratedFile] {
        try generate(yaml, named: name, options).files
    }

    /// Generates the files, with warnings about parts that have no effect or are left out.
    ///
    /// - Throws: The errors of ``files(of:named:_:)``.
    package static func generate(
        _ yaml: String, named name: String, _ options: GeneratorOptions
    ) throws(GenerationFailure) -> (files: [GeneratedFile], warnings: [String]) {
        let reading = try Reading(yaml, .library(options, name), options.filter)
        let writers = Writers(reading)
        let imports = options.additionalImports.map(reading.style.importing)
        let files = GeneratorOptions.Part.allCases.filter(options.parts.contains).map { part in
            let texts: [SourceText]
            switch part {
            case .types: texts = types(of: reading, writers)
            case .client: texts = [writers.table.client()]
            case .server: texts = [writers.table.serverRegistration()]
            }
            let all = SourceText(joining: [SourceText(reading.style, imports: imports)] + texts, reading.style)
            return GeneratedFile(path: part.fileName, text: all.text)
        }
        if options.parts.contains(.server) { reading.noteSecurity() }
        try reading.diagnostics.check()
        return (files, reading.diagnostics.remarks)
    }

    private static func types(of reading: Reading, _ writers: Writers) -> [SourceText] {
        let (contract, table) = (reading.contract, writers.table)
        let needsRuntime = !contract.responses.isEmpty || writers.namedSchemas().contains { !writers.types.isPlain($1) }
        var shared = SourceText(reading.style, imports: needsRuntime ? reading.style.runtimeImports : [])
        writers.responses.declareShared { _, _, declare in
            shared.gap()
            shared.block("\(reading.style.extending)extension \(SharedTypes.namespace)", declare)
        }
        for (name, response) in contract.responses { writers.declareComponent(response, name, in: &shared) }
        for (name, schema) in writers.namedSchemas() { writers.declareComponent(schema, name, in: &shared) }
        let headers = contract.headerNames.isEmpty ? [] : [table.headerNames(contract.headerNames)]
        return [table.apiProtocol(), table.defaults(), table.overloads()]
            + [ServersWriter(servers: contract.servers, style: reading.style).file(), table.namespaces(), shared]
            + contract.operations.map(writers.operations.file) + headers
    }
}

/// The result of reading a document.
private struct Reading {
    let style: CodeStyle
    let diagnostics: Diagnostics
    let root: DocumentNode
    let contract: Contract

    init(_ yaml: String, _ style: CodeStyle, _ filter: DocumentFilter? = nil) throws(GenerationFailure) {
        self.style = style
        diagnostics = Diagnostics(style)
        root = try DocumentNode(yaml: yaml, diagnostics: diagnostics)
        contract = ContractReader(diagnostics: diagnostics, filter: filter).read(root)
        ContractRules(contract: contract, diagnostics: diagnostics).check()
        if !style.isLibrary { GatewayRules(contract: contract, diagnostics: diagnostics).check() }
    }

    /// Notes which operations require credentials, which generated servers do not check.
    func noteSecurity() {
        let operations = contract.operations.filter(\.needsKey)
        guard let first = operations.first else { return }
        diagnostics.note(
            first.position,
            "generated code does not enforce 'security', which Server.swift names the operations of "
                + "(\(operations.count)): a ServerMiddleware does")
    }
}

/// Writers for one document.
private struct Writers {
    let contract: Contract
    let diagnostics: Diagnostics
    let plan: BodyPlan
    let types: TypeWriter
    let responses: ResponseWriter
    let operations: OperationWriter
    let table: TableWriter

    init(_ reading: Reading) {
        contract = reading.contract
        diagnostics = reading.diagnostics
        plan = BodyPlan(schemas: contract.schemas, style: reading.style, responseTypes: contract.responseTypes)
        types = TypeWriter(
            schemas: contract.schemas, diagnostics: diagnostics, style: reading.style,
            recursion: Recursion(contract.schemas), headerNames: contract.headerNames)
        responses = ResponseWriter(
            plan: plan, types: types, shared: SharedTypes(of: contract, plan: plan, types: types))
        let components = Dictionary(contract.responses.map { ($0.name, $0.response) }) { first, _ in first }
        operations = OperationWriter(responses: responses, shared: components)
        table = TableWriter(
            operations: contract.operations, shared: components, plan: plan, types: types, style: reading.style)
    }

    /// Returns the schemas that get a type.
    func namedSchemas() -> [(String, Schema)] {
        plan.reachable(in: contract, diagnostics).compactMap { name in contract.schemas[name].map { (name, $0) } }
    }

    func declareComponent(_ response: Response, _ name: String, in file: inout SourceText) {
        file.gap()
        file.block("\(file.style.extending)extension Components.Responses") { text in
            responses.declare(response, as: contract.responseTypes[name] ?? name, in: &text)
        }
    }

    func declareComponent(_ schema: Schema, _ name: String, in file: inout SourceText) {
        file.gap()
        file.block("\(file.style.extending)extension Components.Schemas") { text in
            types.declareNamed(schema, name, in: &text)
        }
    }
}
