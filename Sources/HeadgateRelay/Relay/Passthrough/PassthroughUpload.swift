internal import HeadgateHTTP

/// Body of a request that is passed through, sent as it arrives and never stored.
///
/// Loop-confined.
final class PassthroughUpload: BodyStage {
    /// Maximum bytes of a body.
    static let limit = 512 << 20
    /// Number of bytes after whose arrival the body deadline restarts.
    private static let pace = 1 << 20

    /// Error of the client's side; nil while there is none.
    private(set) var failure: (any Error)?
    private var unnoted = 0

    override func receive(_ chunk: UnsafeRawBufferPointer) {
        unnoted += chunk.count
        if unnoted >= PassthroughUpload.pace {
            unnoted = 0
            source.note(.content)
        }
        pass(chunk)
    }

    override func fail(_ error: any Error) {
        failure = error
        passEnd(.failure(error))
    }
}
