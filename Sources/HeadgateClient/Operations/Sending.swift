internal import HTTPTypes
internal import HeadgateAPI
internal import HeadgateHTTP

/// Octets of a whole answer.
private let answerLimit = 64 << 20

/// Sends a request, and sees to it that what comes back is an answer.
///
/// - Parameter answer: calls the contract; its output is turned back into the message that it was, so that one rule
///   serves every operation, and a test's double of the contract is treated as a server is.
/// - Throws: ``HeadgateClientError``.
func send(_ answer: () async throws -> ServerAnswer) async throws -> ServerAnswer {
    do {
        let (response, body) = try await answer()
        try await StatusCheck.check(response, body)
        return (response, body)
    } catch {
        throw HeadgateClientError.translate(error)
    }
}

/// The same, with the answer decoded.
func sendForValue<Value: Decodable>(
    _: Value.Type = Value.self, _ answer: () async throws -> ServerAnswer
) async throws -> Value {
    let (_, body) = try await send(answer)
    do {
        let bytes = try await BodyReader.collect(body, upTo: answerLimit)
        // Some servers say so with status 200.
        if let error = JSONCoding.error(in: bytes) { throw HeadgateClientError.streamFailed(error) }
        return try JSONCoding.decode(from: bytes)
    } catch {
        throw HeadgateClientError.translate(error)
    }
}
