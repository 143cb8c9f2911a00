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

    package static func encode(_ value: some Encodable) throws -> [UInt8] {
        if let bytes = JSONWriter.bytes(of: value) { return bytes }
        return Array(try encoder.encode(value))
    }

    package static func decode<Value: Decodable>(_ bytes: [UInt8]) throws -> Value {
        try decoder.decode(Value.self, from: Data(bytes))
    }
}
