/// Reads the events of streams of one format.
protocol StreamReader {
    init()

    /// Reads one event, an object, and appends what it says. What says nothing about the response adds nothing.
    mutating func read(_ event: JSONValue, into events: inout [ResponseEvent])

    /// Appends what was held back, as no more events come.
    mutating func finish(into events: inout [ResponseEvent])

    /// Whether a stream whose own end does not come is complete all the same, as all that matters has come.
    var mayEnd: Bool { get }
}

extension StreamReader {
    mutating func finish(into _: inout [ResponseEvent]) {}
}

/// Writes streams of one format.
protocol StreamWriter {
    init(_ context: ResponseContext)

    /// Appends whole events, as the format wants them.
    mutating func write(_ event: ResponseEvent, to output: inout [UInt8]) throws(ResponseFault)

    /// How many events have been written: of formats that number them, the number of the next one.
    var eventCount: Int { get }
}
