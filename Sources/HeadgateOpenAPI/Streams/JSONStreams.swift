// Streams of JSON: one value per line (`application/jsonl`), or one after each record separator
// (`application/json-seq`, RFC 7464).

extension AsyncSequence where Element == ArraySlice<UInt8> {
    /// Returns the values of JSON lines. Empty lines are ignored.
    public func asDecodedJSONLines<Value: Decodable & SendableMetatype>(
        of type: Value.Type = Value.self
    ) -> DecodedStream<Self, Value> {
        DecodedStream(source: self) { SeparatedParser(separator: 0x0A) { try JSONBody.decode($0) } }
    }

    /// Returns the values of a JSON sequence.
    public func asDecodedJSONSequence<Value: Decodable & SendableMetatype>(
        of type: Value.Type = Value.self
    ) -> DecodedStream<Self, Value> {
        DecodedStream(source: self) { SeparatedParser(separator: 0x1E) { try JSONBody.decode($0) } }
    }
}

extension AsyncSequence where Element: Encodable & SendableMetatype {
    /// Returns one line of JSON per value.
    public func asEncodedJSONLines() -> EncodedStream<Self> {
        EncodedStream(source: self) { try JSONBody.encode($0) + [0x0A] }
    }

    /// Returns a JSON sequence.
    public func asEncodedJSONSequence() -> EncodedStream<Self> {
        EncodedStream(source: self) { try [0x1E] + JSONBody.encode($0) + [0x0A] }
    }
}
