internal import HeadgateLibC

/// Failure of TLS, in words for people. It never contains key material.
package struct TLSError: Error, Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        /// A configured file or name cannot be used.
        case configuration
        /// The peer's certificate is not accepted.
        case certificate
        /// The peer's TLS is incompatible with the gateway's, or the peer has refused the offer.
        case handshake
        /// The connection itself failed with this errno.
        case connection(Int32)
    }

    package let kind: Kind
    /// Description and place of the error, without a full stop.
    package let text: String

    package init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }

    /// Errno for owners that identify errors by it: that of the connection, or EPROTO.
    package var systemError: Int32 {
        if case .connection(let error) = kind { error } else { EPROTO }
    }

    static func connection(_ error: Int32) -> TLSError { TLSError(.connection(error), systemErrorText(error)) }

    static let noMemory = TLSError(.configuration, "OpenSSL could not allocate memory")
    static let notEstablished = TLSError(.handshake, "the TLS handshake has not been completed")
    static let endedInHandshake = TLSError(
        .connection(ECONNRESET), "the peer closed the connection during the TLS handshake")
    static let cut = TLSError(.connection(ECONNRESET), "the peer ended the connection without close_notify")
}

extension TLSError: CustomStringConvertible {
    package var description: String { text }
}
