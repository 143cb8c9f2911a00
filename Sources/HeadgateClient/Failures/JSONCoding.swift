internal import HeadgateOpenAPI
internal import JSONBytes

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// JSON of requests and responses.
enum JSONCoding {
    /// - Throws: ``HeadgateClientError/invalidRequest(reason:)`` for what has no form in JSON, such as a number that is
    ///   infinite.
    static func encode(_ value: some Encodable) throws -> [UInt8] {
        do {
            return try JSONBody.encode(value)
        } catch {
            throw HeadgateClientError.translate(error)
        }
    }

    /// - Throws: ``HeadgateClientError/decoding(_:)`` with the place of the fault.
    static func decode<Value: Decodable>(_: Value.Type = Value.self, from bytes: [UInt8]) throws -> Value {
        do {
            return try JSONBody.decode(bytes)
        } catch let error as DecodingError {
            throw HeadgateClientError.decoding(DecodingFailure(error, in: bytes))
        }
    }

    static func decodeBase64(_ text: String) -> [UInt8]? { Data(base64Encoded: text).map(Array.init) }

    /// Returns the error in a document that should hold a response.
    static func error(in document: [UInt8]) -> APIError? {
        guard hasError(document) else { return nil }
        return (try? decode(JSONValue.self, from: document)).flatMap { APIError(in: $0) }
    }

    /// Whether there is such a member at the top. Checked for every event without decoding it, since hardly any has
    /// one.
    private static func hasError(_ document: [UInt8]) -> Bool {
        document.withUnsafeBytes { bytes in
            do throws(JSONError) {
                var cursor = JSONCursor(bytes)
                try cursor.beginObject()
                while let key = try cursor.nextKey() {
                    if cursor.equals(key, "error") { return true }
                    try cursor.skipValue()
                }
                return false
            } catch {
                return false
            }
        }
    }
}
