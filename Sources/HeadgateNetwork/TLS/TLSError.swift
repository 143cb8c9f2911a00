internal import HeadgateLibC

/// Why TLS cannot be had, in words for people. It never holds key material.
package struct TLSError: Error, Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        /// A file or a name that was configured cannot be used.
        case configuration
        /// The peer's certificate is not accepted.
        case certificate
        /// The peer does not speak TLS as we do, or has refused what we offer.
        case handshake
        /// The connection itself failed, with this errno.
        case connection(Int32)
    }

    package let kind: Kind
    /// Description and place of the error, without a full stop.
    package let text: String

    package init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }

    /// For owners that know errors by their errno: that of the connection, or EPROTO.
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
