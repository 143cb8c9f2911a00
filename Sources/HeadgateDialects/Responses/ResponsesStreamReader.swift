struct ResponsesStreamReader: StreamReader {
    mutating func read(_ event: JSONValue, into events: inout [ResponseEvent]) {}
    var mayEnd: Bool { false }
}
