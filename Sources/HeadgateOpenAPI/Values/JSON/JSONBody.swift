#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Encodes and decodes JSON bodies with a schema.
package enum JSONBody {
    private static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        // Equal values have equal bytes, so that a prompt cache can match them.
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { try $1.encode(value: DateText.text(of: $0)) }
        return encoder
    }()
    private static let decoder: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            guard let date = DateText.date(try container.decode(String.self)) else {
                throw DecodingError.dataCorruptedError(
                    in: container, debugDescription: "this is no \(Date.expectation)")
            }
            return date
        }
        return decoder
    }()

    package static func encode(_ value: some Encodable) throws -> [UInt8] { Array(try encoder.encode(value)) }

    /// Returns the same bytes as the encoder in less time, or throws the same error.
    package static func write(_ value: some JSONWritable) throws -> [UInt8] {
        var json = JSONText()
        // The encoder's error contains the location of a value that JSON cannot express.
        do { try value.write(to: &json) } catch { return try encode(value) }
        return json.bytes
    }

    package static func decode<Value: Decodable>(_ bytes: [UInt8]) throws -> Value {
        try decoder.decode(Value.self, from: Data(bytes))
    }
}
