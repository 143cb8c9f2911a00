/// Stricter rules for the gateway's own document, beside those of ``ContractRules``.
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
        if parameter.location == .path, parameter.type.scalar != .string {
            report("only a string is supported in the path")
        }
        if parameter.type.isList || parameter.type.scalar == .number {
            report("a list or a number is not supported here")
        }
    }

    private func check(_ body: RequestBody, of operation: Operation) {
        if !body.isRequired {
            diagnostics.report(
                body.position, "a request body that may be missing is not supported: it is 'required: true'")
        }
        if body.kind == .other || body.schema == nil {
            diagnostics.report(
                body.position,
                "only a request body of 'application/json' or 'multipart/form-data' with a schema is supported")
        }
        if body.kind == .form, operation.relay == nil {
            diagnostics.report(
                body.position, "a form is supported only where 'x-headgate-relay' says that it is relayed")
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
