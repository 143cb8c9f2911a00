/// An event at the scripted upstream.
package struct UpstreamEvent: Sendable, Equatable, CustomStringConvertible {
    package enum PeerEnd: Sendable, Equatable {
        case fin
        case reset
        /// The consumer canceled, in the same process.
        case cancelled
    }

    /// The kinds of events, each with the request's index, which is -1 for bytes that were not a request and got an
    /// error.
    package enum Kind: Sendable, Equatable {
        /// The head and the body have arrived.
        case requestReceived(Int)
        case headSent(Int)
        /// The n-th sending of a chunk of the body has been written, counted from 0 over all chunks and repetitions.
        case chunkSent(Int, Int)
        /// The peer does not read: 256 KiB are queued, and nothing is written until the peer reads.
        case writingPaused(Int)
        /// The peer left before the response was finished, or while it was stalled.
        case peerClosed(Int, PeerEnd)
        /// The response has reached its scripted end, and the kernel has accepted its last byte. Never sent for a
        /// stall.
        case finished(Int)
    }

    package let kind: Kind
    /// The monotonic time in nanoseconds.
    package let at: UInt64

    package var request: Int {
        switch kind {
        case .requestReceived(let request), .headSent(let request), .chunkSent(let request, _),
            .writingPaused(let request), .peerClosed(let request, _), .finished(let request):
            request
        }
    }

    package var isPeerClosed: Bool {
        if case .peerClosed = kind { true } else { false }
    }

    package var description: String { "\(kind) at \(at)" }
}
