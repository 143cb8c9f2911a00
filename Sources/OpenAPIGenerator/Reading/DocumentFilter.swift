/// Selection of the generated part of a document: operations that one of the lists names, the schemas that they need,
/// and further named schemas.
package struct DocumentFilter: Sendable, Equatable {
    package var paths: [String] = []
    package var tags: [String] = []
    package var operations: [String] = []
    package var schemas: [String] = []

    package init() {}

    /// Returns whether an operation is selected.
    func includes(id: String?, path: String, tags: [String]) -> Bool {
        paths.contains(path) || id.map(operations.contains) ?? false || !Set(self.tags).isDisjoint(with: tags)
    }

    /// Removes everything that no operation needs, and reports names that the document does not have.
    func apply(to contract: inout Contract, _ diagnostics: Diagnostics, _ position: SourcePosition) {
        contract.hasAllSchemas = false
        for name in schemas where contract.schemas[name] == nil {
            diagnostics.report(position, "'filter' names the schema '\(name)', which the document does not have")
        }
        let ids = Set(contract.operations.map(\.id))
        for id in operations where !ids.contains(id) {
            diagnostics.report(position, "'filter' names the operation '\(id)', which is not generated")
        }
        let paths = Set(contract.operations.map(\.path))
        for path in self.paths where !paths.contains(path) {
            diagnostics.report(position, "'filter' names the path '\(path)', of which nothing is generated")
        }
        let used = Set(
            contract.operations.flatMap { operation in
                operation.answers.compactMap { answer in
                    if case .shared(let name) = answer.answer { name } else { nil }
                }
            })
        contract.responses.removeAll { !used.contains($0.name) }
        contract.wantedSchemas = schemas
    }
}
