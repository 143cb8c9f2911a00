#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Bytes that are Base64 text in JSON: the type of the format `byte`.
public struct Base64EncodedData: Hashable, Sendable {
    public var data: ArraySlice<UInt8>

    public init(_ data: some Sequence<UInt8>) { self.data = ArraySlice(data) }

    /// The bytes as Base64 text.
    public var text: String { Data(data).base64EncodedString() }

    /// Decodes Base64 text; nil if it is invalid. Line breaks are ignored.
    public init?(text: String) {
        guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) else { return nil }
        self.data = ArraySlice(data)
    }
}

extension Base64EncodedData: Codable, JSONWritable, ParameterValue {
    public static var expectation: String { "text in Base64" }
    public var parameterText: String { text }

    public init?(parameterText: String) { self.init(text: parameterText) }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let decoded = Base64EncodedData(text: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "this is no Base64")
        }
        self = decoded
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    public func write(to json: inout JSONText) throws { json.append(text) }
}
