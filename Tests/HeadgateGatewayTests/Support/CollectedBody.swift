import HeadgateHTTP

/// The client's side of a body: every piece as it was delivered.
final class CollectedBody: BodySink {
    private(set) var pieces: [String] = []
    private(set) var ends: [String] = []
    /// Called with each piece during its delivery.
    var onPiece: ((String) -> Void)?

    var text: String { pieces.joined() }

    func receive(_ chunk: UnsafeRawBufferPointer) {
        pieces.append(String(decoding: chunk, as: UTF8.self))
        onPiece?(pieces[pieces.count - 1])
    }

    func finish(_ end: BodyEnd) { ends.append(end == .complete ? "complete" : "completeThenClose") }
    func fail(_ error: any Error) { ends.append("failed") }
}
