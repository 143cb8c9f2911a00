internal import COpenSSL

/// OpenSSL's errors of this thread. They are cleared before every call of OpenSSL, so that an old error is not mistaken
/// for a new one.
enum TLSErrorQueue {
    static func clear() { ERR_clear_error() }

    /// Reason code of the first error; 0 without one.
    static var reason: Int32 {
        let code = ERR_peek_error()
        return code == 0 ? 0 : ERR_GET_REASON(code)
    }

    static var isEndOfFile: Bool { reason == SSL_R_UNEXPECTED_EOF_WHILE_READING }

    /// Reason why a connection failed, other than its certificate.
    static var connectionText: String {
        let code = ERR_peek_error()
        if let text = handshakeText(reason) { return text }
        if code != 0, let text = ERR_reason_error_string(code) {
            return "the TLS connection failed: \(String(cString: text))"
        }
        return "the TLS connection failed"
    }

    private static func handshakeText(_ reason: Int32) -> String? {
        switch reason {
        case SSL_R_HTTP_REQUEST, SSL_R_HTTPS_PROXY_REQUEST:
            "the client spoke plain HTTP where TLS is expected"
        case SSL_R_WRONG_VERSION_NUMBER, SSL_R_UNEXPECTED_MESSAGE, SSL_R_BAD_RECORD_TYPE, SSL_R_PACKET_LENGTH_TOO_LONG,
            SSL_R_RECORD_LENGTH_MISMATCH, SSL_R_LENGTH_MISMATCH:
            "the peer answered with something that is not TLS"
        case SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_TLSV1_ALERT_PROTOCOL_VERSION, SSL_R_VERSION_TOO_LOW:
            "the peer and Headgate have no TLS version in common (Headgate speaks 1.2 and 1.3)"
        case SSL_R_NO_SHARED_CIPHER, SSL_R_SSLV3_ALERT_HANDSHAKE_FAILURE, SSL_R_TLSV1_ALERT_INSUFFICIENT_SECURITY:
            "the peer and Headgate have no cipher in common"
        case SSL_R_NO_APPLICATION_PROTOCOL, SSL_R_TLSV1_ALERT_NO_APPLICATION_PROTOCOL:
            "the peer does not speak HTTP/1.1 (it was asked for by ALPN)"
        case SSL_R_TLSV1_UNRECOGNIZED_NAME:
            "the peer serves no certificate for the name it was asked for"
        case SSL_R_TLSV13_ALERT_CERTIFICATE_REQUIRED:
            "the peer wants a client certificate, which Headgate does not offer"
        case SSL_R_TLSV1_ALERT_UNKNOWN_CA, SSL_R_SSLV3_ALERT_BAD_CERTIFICATE,
            SSL_R_SSLV3_ALERT_UNSUPPORTED_CERTIFICATE, SSL_R_SSLV3_ALERT_CERTIFICATE_REVOKED,
            SSL_R_SSLV3_ALERT_CERTIFICATE_EXPIRED, SSL_R_SSLV3_ALERT_CERTIFICATE_UNKNOWN:
            "the peer does not accept the certificate it was shown"
        default:
            nil
        }
    }
}
