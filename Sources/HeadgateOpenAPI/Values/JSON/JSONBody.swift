#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// JSON of bodies that have a schema of their own.
package enum JSONBody {
    private static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        // The same value gives the same bytes, so that a prompt cache finds it again.
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }()
    private static let decoder = JSONDecoder()

    package static func encode(_ value: some Encodable) throws -> [UInt8] { Array(try encoder.encode(value)) }

    /// The same bytes in less time, or the same error.
    package static func write(_ value: some JSONWritable) throws -> [UInt8] {
        var json = JSONText()
        // The encoder tells where the value is that has no form in JSON.
        do { try value.write(to: &json) } catch { return try encode(value) }
        return json.bytes
    }

    package static func decode<Value: Decodable>(_ bytes: [UInt8]) throws -> Value {
        try decoder.decode(Value.self, from: Data(bytes))
    }
}
