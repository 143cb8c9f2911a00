/// Rules about the document as a whole.
struct ContractRules {
    let contract: Contract
    let diagnostics: Diagnostics

    func check() {
        var ids: Set<String> = []
        var routes: Set<String> = []
        for operation in contract.operations {
            if !ids.insert(operation.id).inserted {
                diagnostics.warn(operation.position, "another operation is called '\(operation.id)'")
            }
            for path in operation.paths where !routes.insert("\(operation.method) \(path)").inserted {
                diagnostics.warn(operation.position, "another operation is at '\(path)'")
            }
        }
    }
}

extension Contract {
    /// Component responses and inline responses.
    var allResponses: [Response] {
        responses.map(\.response)
            + operations.flatMap { operation in
                operation.answers.compactMap { answer in
                    guard case .inline(let response) = answer.answer else { return nil }
                    return response
                }
            }
    }

    /// Names of headers in parameters, responses and parts of forms, sorted, without duplicates.
    var headerNames: [String] {
        let contents = allResponses.flatMap(\.contents) + operations.flatMap { $0.body?.contents ?? [] }
        let names =
            allResponses.flatMap { $0.headers.map(\.name) }
            + operations.flatMap { $0.parameters(in: .header).map(\.name) }
            + contents.flatMap { $0.parts.values.flatMap { $0.headers.map(\.name) } }
        return Set(names).sorted()
    }
}
