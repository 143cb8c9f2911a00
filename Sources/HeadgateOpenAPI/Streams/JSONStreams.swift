// Streams of JSON: a value on each line (`application/jsonl`), or behind each record separator
// (`application/json-seq`, RFC 7464).

extension AsyncSequence where Element == ArraySlice<UInt8> {
    /// The values of lines of JSON; empty lines do not count.
    public func asDecodedJSONLines<Value: Decodable & SendableMetatype>(
        of type: Value.Type = Value.self
    ) -> DecodedStream<Self, Value> {
        DecodedStream(source: self) { SeparatedParser(separator: 0x0A) { try JSONBody.decode($0) } }
    }

    /// The values of a JSON sequence.
    public func asDecodedJSONSequence<Value: Decodable & SendableMetatype>(
        of type: Value.Type = Value.self
    ) -> DecodedStream<Self, Value> {
        DecodedStream(source: self) { SeparatedParser(separator: 0x1E) { try JSONBody.decode($0) } }
    }
}

extension AsyncSequence where Element: Encodable & SendableMetatype {
    /// Lines of JSON, one for each value.
    public func asEncodedJSONLines() -> EncodedStream<Self> {
        EncodedStream(source: self) { try JSONBody.encode($0) + [0x0A] }
    }

    /// A JSON sequence.
    public func asEncodedJSONSequence() -> EncodedStream<Self> {
        EncodedStream(source: self) { try [0x1E] + JSONBody.encode($0) + [0x0A] }
    }
}
