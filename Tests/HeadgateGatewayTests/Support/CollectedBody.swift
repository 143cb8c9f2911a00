import HeadgateHTTP

/// The client's side of a body: every piece as it was handed on.
final class CollectedBody: BodySink {
    private(set) var pieces: [String] = []
    private(set) var ends: [String] = []

    var text: String { pieces.joined() }

    func receive(_ chunk: UnsafeRawBufferPointer) { pieces.append(String(decoding: chunk, as: UTF8.self)) }
    func finish(_ end: BodyEnd) { ends.append(end == .complete ? "complete" : "completeThenClose") }
    func fail(_ error: any Error) { ends.append("failed") }
}
