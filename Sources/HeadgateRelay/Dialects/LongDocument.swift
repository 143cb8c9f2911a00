package import HeadgateHTTP

/// Documents that are parsed on a side thread, because parsing them would block an event loop for too long. Shorter
/// ones take a few milliseconds (docs/decisions/0005).
package enum LongDocument {
    package static let threshold = 256 << 10
    /// Maximum bytes of a whole response; streams have no such cap.
    static let most = 64 << 20
}

extension PendingCall {
    /// Does work on a long document on a side thread, as a step.
    ///
    /// - Parameter goOn: called once, on the loop of the request; gets a `cancelled` ``TransportError`` if the work
    ///   was cancelled.
    package func aside<Value: Sendable, Failure: Error>(
        _ metadata: ServerRequestMetadata, _ work: @escaping @Sendable () throws(Failure) -> Value,
        then goOn: @escaping (Result<Value, any Error>) -> Void
    ) {
        wait {
            metadata.aside({ Result { () throws(Failure) in try work() } }) { [self] result in
                stepEnded()
                guard let result, !isCancelled else { return goOn(.failure(TransportError(.cancelled))) }
                goOn(result.mapError { $0 })
            }
        }
    }

    /// Does work on a document of the given size, as a step: immediately, or on a side thread if the document is long.
    ///
    /// - Parameter goOn: called once, on the loop of the request, possibly before this method returns.
    @inline(__always)
    package func work<Value: Sendable, Failure: Error>(
        on octets: Int, _ metadata: ServerRequestMetadata, _ work: @escaping @Sendable () throws(Failure) -> Value,
        then goOn: @escaping (Result<Value, any Error>) -> Void
    ) {
        if octets > LongDocument.threshold { return aside(metadata, work, then: goOn) }
        goOn(Result { () throws(Failure) in try work() }.mapError { $0 })
    }
}
