/// What one step of a ``TLSSession`` came to.
package enum TLSProgress: Equatable, Sendable {
    /// So many bytes were moved; 0 when there were none to move, as at the end of a handshake.
    case bytes(Int)
    /// Nothing was moved: the same step again when the socket is readable, also if it was a write.
    case wantsRead
    /// Nothing was moved: the same step again when the socket is writable, also if it was a read.
    case wantsWrite
    /// The peer sent close_notify: all that it had to say has come.
    case closed
    /// The connection ended without close_notify: something may be missing, and nothing can be sent any more.
    case cut
    case failed(TLSError)

    var error: TLSError? {
        if case .failed(let error) = self { error } else { nil }
    }
}
