internal import HeadgateOpenAPI
internal import JSONBytes

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// JSON of requests and responses.
enum JSONCoding {
    /// Encodes a value.
    ///
    /// - Throws: ``HeadgateClientError/invalidRequest(reason:)`` if the value cannot be expressed in JSON, such as an
    ///   infinite number.
    static func encode(_ value: some Encodable) throws -> [UInt8] {
        do {
            return try JSONBody.encode(value)
        } catch {
            throw HeadgateClientError.translate(error)
        }
    }

    /// Decodes a value.
    ///
    /// - Throws: ``HeadgateClientError/decoding(_:)`` with the location of the fault.
    static func decode<Value: Decodable>(_: Value.Type = Value.self, from bytes: [UInt8]) throws -> Value {
        do {
            return try JSONBody.decode(bytes)
        } catch let error as DecodingError {
            throw HeadgateClientError.decoding(DecodingFailure(error, in: bytes))
        }
    }

    static func decodeBase64(_ text: String) -> [UInt8]? { Data(base64Encoded: text).map(Array.init) }

    /// Returns the error in a document that should contain a response; nil if there is none.
    static func error(in document: [UInt8]) -> APIError? {
        guard hasError(document) else { return nil }
        return (try? decode(JSONValue.self, from: document)).flatMap { APIError(in: $0) }
    }

    /// Returns whether a document has a top-level `error` member. Few events have one, so they are checked without
    /// decoding.
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
