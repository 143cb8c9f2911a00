internal import JSONBytes

/// `response.failed`, the terminal event of a Responses stream that broke off. Clients skip `error` events there, and
/// wait for a terminal one.
enum ResponsesErrorEvent {
    static func append(_ error: GatewayError, of broken: BrokenResponse, to output: inout [UInt8]) {
        // Every member that a client's model of a response requires.
        output.append(
            contentsOf: "event: response.failed\ndata: {\"type\":\"response.failed\",\"sequence_number\":".utf8)
        output.append(contentsOf: "\(broken.sequenceNumber),\"response\":{\"id\":".utf8)
        output.append(contentsOf: broken.idLiteral ?? Array("\"resp_failed\"".utf8))
        output.append(contentsOf: ",\"object\":\"response\",\"created_at\":0,\"status\":\"failed\",\"model\":".utf8)
        output.append(contentsOf: broken.modelLiteral ?? Array("\"\"".utf8))
        output.append(contentsOf: ",\"error\":{\"code\":\"\(code(of: error))\",\"message\":".utf8)
        JSONEscaping.append(error.message, to: &output)
        output.append(
            contentsOf: ("},\"incomplete_details\":null,\"instructions\":null,\"metadata\":{},\"output\":[],"
                + "\"parallel_tool_calls\":true,\"temperature\":null,\"tool_choice\":\"auto\",\"tools\":[],\"top_p\":null}}\n\n")
                .utf8)
    }

    private static func code(of error: GatewayError) -> String {
        if let code = error.code, codes.contains(code) { return code }
        return error.status == 429 ? "rate_limit_exceeded" : "server_error"
    }

    /// Codes that clients' models of a response know; those about images, files and stores cannot occur in the middle
    /// of a stream.
    private static let codes: Set<String> = [
        "server_error", "rate_limit_exceeded", "invalid_prompt", "data_residency_mismatch", "bio_policy",
        "misalignment_policy_violation", ContextOverflow.code,
    ]
}
