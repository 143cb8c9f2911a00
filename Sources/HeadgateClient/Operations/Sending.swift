internal import HTTPTypes
internal import HeadgateAPI
internal import HeadgateHTTP

/// Bytes of a whole response.
let responseLimit = 64 << 20

/// Sends a request, and sees to it that what comes back is a response.
///
/// - Parameter call: calls the contract; its output is turned back into the message that it was, so that one rule
///   serves every operation, and a test's double of the contract is treated as a server is.
/// - Throws: ``HeadgateClientError``.
func send(_ call: () async throws -> RawResponse) async throws -> RawResponse {
    do {
        let (response, body) = try await call()
        try await StatusCheck.check(response, body)
        return (response, body)
    } catch {
        throw HeadgateClientError.translate(error)
    }
}

/// Sends a request and decodes the response.
func sendForValue<Value: Decodable>(
    _: Value.Type = Value.self, _ call: () async throws -> RawResponse
) async throws -> Value {
    let (_, body) = try await send(call)
    do {
        let bytes = try await BodyReader.collect(body, upTo: responseLimit)
        // Some servers say so with status 200.
        if let error = JSONCoding.error(in: bytes) { throw HeadgateClientError.streamFailed(error) }
        return try JSONCoding.decode(from: bytes)
    } catch {
        throw HeadgateClientError.translate(error)
    }
}
