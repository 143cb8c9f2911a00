internal import HTTPTypes
internal import HeadgateAPI
internal import HeadgateHTTP

/// Maximum bytes of a whole response.
let responseLimit = 64 << 20

/// Sends a request and checks the status of the response.
///
/// - Parameter call: Calls the contract and converts its output back to an HTTP message. Therefore one check serves
///   every operation, and a test double of the contract is treated like a server.
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
        // Some servers report an error with status 200.
        if let error = JSONCoding.error(in: bytes) { throw HeadgateClientError.streamFailed(error) }
        return try JSONCoding.decode(from: bytes)
    } catch {
        throw HeadgateClientError.translate(error)
    }
}
