struct MessagesStreamWriter: StreamWriter {
    init(_ context: ResponseContext) {}
    mutating func write(_ event: ResponseEvent, to output: inout [UInt8]) throws(ResponseFault) {}
    var eventCount: Int { 0 }
}
