/// Rules about the document as a whole.
struct ContractRules {
    let contract: Contract
    let diagnostics: Diagnostics

    func check() {
        var ids: Set<String> = []
        var routes: Set<String> = []
        for operation in contract.operations {
            if !ids.insert(operation.id).inserted {
                diagnostics.report(operation.position, "another operation is called '\(operation.id)'")
            }
            for path in operation.paths where !routes.insert("\(operation.method) \(path)").inserted {
                diagnostics.report(operation.position, "another operation is at '\(path)'")
            }
            if operation.relay != nil { checkRelay(operation) }
        }
    }

    /// What is relayed is never decoded, so its schemas must not pretend to know all of it.
    private func checkRelay(_ operation: Operation) {
        var schemas = [operation.body?.schema].compactMap { $0 }
        for case (.code(200..<300), .inline(let response)) in operation.answers {
            schemas += response.contents.filter { $0.mediaType == "application/json" }.compactMap(\.schema)
        }
        for schema in schemas where !contract.schemas.isOpen(schema) {
            diagnostics.report(
                schema.position, "a relayed body of '\(operation.id)' needs a schema with 'additionalProperties: true'")
        }
    }
}

extension Contract {
    /// Shared ones and those of single operations.
    var allResponses: [Response] {
        responses.map(\.response)
            + operations.flatMap { operation in
                operation.answers.compactMap { answer in
                    guard case .inline(let response) = answer.answer else { return nil }
                    return response
                }
            }
    }

    /// Of parameters and responses, without duplicates, sorted.
    var headerNames: [String] {
        let names =
            allResponses.flatMap { $0.headers.map(\.name) }
            + operations.flatMap { $0.parameters(in: .header).map(\.name) }
        return Set(names).sorted()
    }
}
