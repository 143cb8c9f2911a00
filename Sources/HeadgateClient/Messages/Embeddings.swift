/// Embeddings of texts.
public struct Embeddings: Hashable, Sendable, Decodable {
    /// Vectors in the order of the texts.
    public var vectors: [[Float]]
    /// Name of the model that produced the vectors.
    public var model: String
    /// Tokens used.
    public var usage: TokenUsage?
    /// Members without a property.
    public var additional: [String: JSONValue]

    /// Reads a list. Vectors are numbers, or little-endian 32-bit floats in base64.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: MemberName.self)
        let entries = try members.decode([Entry].self, forKey: "data")
        vectors = entries.enumerated().sorted { ($0.element.index ?? $0.offset) < ($1.element.index ?? $1.offset) }
            .map(\.element.vector)
        model = try members.decodeIfPresent(String.self, forKey: "model") ?? ""
        usage = try members.decodeIfPresent(TokenUsage.self, forKey: "usage")
        additional = members.additional(besides: ["object", "data", "model", "usage"])
    }

    private struct Entry: Decodable {
        let index: Int?
        let vector: [Float]

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: MemberName.self)
            index = try members.decodeIfPresent(Int.self, forKey: "index")
            guard let text = try? members.decode(String.self, forKey: "embedding") else {
                vector = try members.decode([Float].self, forKey: "embedding")
                return
            }
            guard let bytes = JSONCoding.decodeBase64(text), bytes.count.isMultiple(of: 4) else {
                throw DecodingError.dataCorruptedError(
                    forKey: "embedding", in: members, debugDescription: "not base64 of 32-bit floats")
            }
            vector = stride(from: 0, to: bytes.count, by: 4).map { start in
                let bits = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[start + $1]) << UInt32(8 * $1) }
                return Float(bitPattern: bits)
            }
        }
    }
}
