/// Rules for the gateway's own document, in addition to ``ContractRules``.
struct GatewayRules {
    let contract: Contract
    let diagnostics: Diagnostics

    func check() {
        for operation in contract.operations {
            if operation.summary == nil { diagnostics.report(operation.position, "an operation needs 'summary'") }
            for parameter in operation.parameters { check(parameter) }
            if let body = operation.body { check(body, of: operation) }
            if operation.relay != nil { checkRelay(operation) }
        }
    }

    private func check(_ parameter: Parameter) {
        let report = { (problem: String) in
            diagnostics.report(parameter.position, "parameter '\(parameter.name)': \(problem)")
        }
        if parameter.isRequired, parameter.location != .path { report("'required' is supported only in the path") }
        switch parameter.type.form {
        case .scalar(.string): break
        case .scalar(let type):
            if parameter.location == .path { report("only a string is supported in the path") }
            if type == .number { report("a list or a number is not supported here") }
        case .list, .styled: report("a list or a number is not supported here")
        }
    }

    private func check(_ body: RequestBody, of operation: Operation) {
        if !body.isRequired {
            diagnostics.report(
                body.position, "a request body that may be missing is not supported: it is 'required: true'")
        }
        let content = body.contents.first
        if content?.kind != .json && content?.kind != .form || content?.schema == nil {
            diagnostics.report(
                body.position,
                "only a request body of 'application/json' or 'multipart/form-data' with a schema is supported")
        }
        if content?.kind == .form, operation.relay == nil {
            diagnostics.report(
                body.position, "a form is supported only where 'x-headgate-relay' says that it is relayed")
        }
    }

    /// Checks a relayed operation. Its bodies are never decoded, so its schemas must not claim to be complete.
    private func checkRelay(_ operation: Operation) {
        var schemas = [operation.body?.contents.first?.schema].compactMap { $0 }
        for case (.code(200..<300), .inline(let response)) in operation.answers {
            schemas += response.contents.filter { $0.mediaType == "application/json" }.compactMap(\.schema)
        }
        for schema in schemas where !contract.schemas.isOpen(schema) {
            diagnostics.report(
                schema.position, "a relayed body of '\(operation.id)' needs a schema with 'additionalProperties: true'")
        }
    }
}
