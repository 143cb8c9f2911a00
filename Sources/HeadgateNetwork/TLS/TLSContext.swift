internal import COpenSSL
internal import HeadgateLibC

/// Certificates, trust and rules that many connections share, on any loop. Creating a context reads files, so it is
/// only done at the start and at a reload.
package final class TLSContext: Sendable {
    /// Configured before any other thread sees it. OpenSSL locks its later changes (reference counts, ticket keys).
    nonisolated(unsafe) let pointer: OpaquePointer
    /// Sessions of clients.
    let sessions = TLSSessionCache()

    init(_ method: OpaquePointer?, newest: TLSVersion) throws(TLSError) {
        headgate_start_openssl()
        TLSErrorQueue.clear()
        guard let pointer = SSL_CTX_new(method) else { throw .noMemory }
        self.pointer = pointer
        guard headgate_tls_configure(pointer), headgate_tls_set_newest_version(pointer, newest.number) else {
            throw TLSError(.configuration, "this OpenSSL offers no TLS 1.2 or newer: its configuration forbids it")
        }
    }

    deinit { SSL_CTX_free(pointer) }

    /// `http/1.1` in the form of ALPN (RFC 7301): its length, then its name.
    static let applicationProtocol: [UInt8] = [8] + Array("http/1.1".utf8)
}

/// Messages about files that OpenSSL could not use.
enum TLSFile {
    /// Returns the system's message for a file that cannot be read, since OpenSSL loses it for some files.
    ///
    /// - Parameter text: the message for a readable file.
    static func problem(with path: String, otherwise text: String) -> String {
        // Opening a pipe must not block the start.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return systemErrorText(errno) }
        defer { close(descriptor) }
        var byte: UInt8 = 0
        let count = HeadgateLibC.read(descriptor, &byte, 1)
        return count < 0 ? systemErrorText(errno) : count == 0 ? "it is empty" : text
    }
}

/// Supported versions of TLS.
package enum TLSVersion: String, Equatable, Sendable {
    case v12 = "TLSv1.2"
    case v13 = "TLSv1.3"

    var number: Int32 {
        switch self {
        case .v12: TLS1_2_VERSION
        case .v13: TLS1_3_VERSION
        }
    }
}
