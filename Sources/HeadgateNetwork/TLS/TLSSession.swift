internal import COpenSSL
internal import HeadgateLibC

/// TLS on one connected, non-blocking socket, which its owner watches and closes. Confined to its loop.
///
/// Every method does as much as it can at once. If a step needs the socket to become readable or writable, it reports
/// that as ``TLSProgress``. The same step must be repeated then: a read might have to write first, and a write might
/// have to read.
///
/// Nothing written reaches the socket before the handshake is complete and the peer's certificate has been accepted.
package final class TLSSession {
    package enum Role: Equatable, Sendable {
        /// - Parameters:
        ///   - hostName: a name, or an IP address without brackets, for which the certificate must be valid.
        ///   - port: distinguishes servers on one host when sessions are resumed.
        case client(hostName: String, port: UInt16)
        case server
    }

    package private(set) var isEstablished = false

    /// Whether the last read cannot continue until the socket is writable.
    var readWaitsForWrite = false
    /// Whether the last write cannot continue until the socket is readable.
    var writeWaitsForRead = false

    let context: TLSContext
    /// The `SSL` of OpenSSL.
    let connection: OpaquePointer
    /// Key of the client's sessions; nil for a server.
    let peer: TLSSessionCache.Peer?
    /// Result of every later read; nil while there can be more bytes.
    private var readEnd: TLSProgress?
    private var readEndIsKnown = false
    private var writeFailure: TLSError?
    /// Whether the last read, or the handshake, might have left bytes unread.
    private var mayHoldMore = false
    /// Whether the kernel has only part of a record, so that only the rest of it can follow.
    private var hasHalfSentRecord = false
    private var closeNotifyIsSent = false

    /// - Throws: ``TLSError`` if no certificate can be for the host name, or memory is short.
    package init(context: TLSContext, descriptor: Int32, role: Role) throws(TLSError) {
        TLSErrorQueue.clear()
        guard let connection = SSL_new(context.pointer) else { throw .noMemory }
        self.context = context
        self.connection = connection
        peer = TLSSession.peer(of: role)
        SSL_set_ex_data(connection, TLSSession.ownIndex, Unmanaged.passUnretained(self).toOpaque())
        guard let socketMethod, headgate_tls_set_socket(connection, socketMethod, descriptor) else { throw .noMemory }
        if let peer {
            try requireCertificate(for: peer.hostName)
            if let session = context.sessions.take(for: peer) { SSL_set_session(connection, session.pointer) }
            SSL_set_connect_state(connection)
        } else {
            SSL_set_accept_state(connection)
        }
    }

    deinit {
        // Most connections end without close_notify, which must not invalidate their sessions. Alerts have already
        // invalidated theirs.
        if isEstablished { headgate_tls_forget_shutdown(connection) }
        SSL_free(connection)
    }

    // MARK: Steps

    /// Continues the handshake.
    ///
    /// - Returns: ``TLSProgress/bytes(_:)`` when it is complete, and otherwise its next need. After a failure, or if
    ///   the peer disconnects, every call returns ``TLSProgress/failed(_:)``.
    package func handshake() -> TLSProgress {
        if isEstablished { return .bytes(0) }
        if let readEnd { return readEnd }
        prepare()
        let status = SSL_do_handshake(connection)
        if status == 1 {
            isEstablished = true
            // Data that follows the peer's last message can have arrived with it.
            mayHoldMore = true
            return .bytes(0)
        }
        let progress = progress(after: status)
        switch progress {
        case .bytes, .wantsRead, .wantsWrite: return progress
        case .closed, .cut: return fail(.endedInHandshake)
        case .failed(let error): return fail(error)
        }
    }

    /// Decrypts received bytes, as many as the buffer holds.
    ///
    /// - Returns: ``TLSProgress/bytes(_:)`` with at least one byte, or the reason why there is none. The end of the
    ///   connection is reported after all bytes before it, and by every later call.
    package func read(into buffer: UnsafeMutableRawBufferPointer) -> TLSProgress {
        guard isEstablished else { return .failed(readEnd?.error ?? .notEstablished) }
        var filled = 0
        while readEnd == nil, filled < buffer.count {
            prepare()
            var count = 0
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let status = SSL_read_ex(connection, rest.baseAddress, rest.count, &count)
            if status == 1 {
                filled += count
                if SSL_has_pending(connection) == 1 { continue }
                mayHoldMore = false
                return .bytes(filled)
            }
            let progress = progress(after: status)
            switch progress {
            case .bytes, .wantsRead: mayHoldMore = false
            case .wantsWrite: mayHoldMore = filled > 0
            case .closed: readEnd = progress
            case .cut, .failed: end(progress)
            }
            if readEnd == nil { return filled > 0 ? .bytes(filled) : progress }
        }
        guard filled == 0, let readEnd else {
            mayHoldMore = true
            return .bytes(filled)
        }
        readEndIsKnown = true
        return readEnd
    }

    /// Whether another ``read(into:)`` is due even if the socket does not become readable, because OpenSSL holds bytes,
    /// or an end is not reported yet. False after a read that needs the socket.
    package var hasPending: Bool {
        if readEnd != nil { return isEstablished && !readEndIsKnown }
        return mayHoldMore && SSL_has_pending(connection) == 1
    }

    /// Encrypts and sends as many bytes as the socket takes.
    ///
    /// After ``TLSProgress/wantsWrite`` or ``TLSProgress/wantsRead``, the same bytes must be passed again, at any
    /// address, with or without others behind them: part of them is encrypted already. The same is true of bytes that
    /// the last call did not take.
    ///
    /// - Returns: ``TLSProgress/bytes(_:)`` with at least one byte, unless there are none.
    package func write(_ bytes: UnsafeRawBufferPointer) -> TLSProgress {
        guard isEstablished else { return .failed(readEnd?.error ?? .notEstablished) }
        var taken = 0
        while writeFailure == nil, taken < bytes.count {
            prepare()
            var count = 0
            let rest = UnsafeRawBufferPointer(rebasing: bytes[taken...])
            let status = SSL_write_ex(connection, rest.baseAddress, rest.count, &count)
            if status == 1 {
                hasHalfSentRecord = false
                taken += count
                continue
            }
            let progress = progress(after: status)
            switch progress {
            case .bytes, .wantsRead, .wantsWrite:
                hasHalfSentRecord = true
                return taken > 0 ? .bytes(taken) : progress
            case .closed, .cut: writeFailure = .cut
            case .failed(let error): writeFailure = error
            }
        }
        guard taken == 0, let writeFailure else { return .bytes(taken) }
        return .failed(writeFailure)
    }

    /// Sends close_notify. Reading continues.
    ///
    /// - Returns: false if the socket has no room for it now; then this must be called again when it is writable. True
    ///   also if it cannot be sent at all, as after a failure or in the middle of a record.
    @discardableResult package func shutdown() -> Bool {
        guard isEstablished, !closeNotifyIsSent, !hasHalfSentRecord, writeFailure == nil else { return true }
        prepare()
        let status = SSL_shutdown(connection)
        if status < 0, progress(after: status) == .wantsWrite { return false }
        closeNotifyIsSent = true
        return true
    }

    // MARK: What was agreed

    /// Whether the handshake resumed an earlier session.
    package var isResumed: Bool { SSL_session_reused(connection) == 1 }

    /// Agreed version; nil before the handshake is complete.
    package var protocolVersion: TLSVersion? {
        isEstablished ? SSL_get_version(connection).flatMap { TLSVersion(rawValue: String(cString: $0)) } : nil
    }

    /// Name that the client requested of a server, unverified.
    package var serverName: String? { headgate_tls_server_name(connection).map { String(cString: $0) } }

    /// Protocol that was agreed on by ALPN; nil if the peer does not support it.
    package var applicationProtocol: String? {
        var name: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        SSL_get0_alpn_selected(connection, &name, &count)
        return count == 0 ? nil : String(decoding: UnsafeBufferPointer(start: name, count: Int(count)), as: UTF8.self)
    }

    // MARK: Failing

    private func prepare() {
        TLSErrorQueue.clear()
        errno = 0
    }

    /// Returns the result of a call that did not succeed.
    private func progress(after status: Int32) -> TLSProgress {
        let systemError = errno
        switch SSL_get_error(connection, status) {
        case SSL_ERROR_WANT_READ: return .wantsRead
        case SSL_ERROR_WANT_WRITE: return .wantsWrite
        case SSL_ERROR_ZERO_RETURN: return .closed
        case SSL_ERROR_SYSCALL: return systemError == 0 ? .cut : .failed(.connection(systemError))
        default:
            if TLSErrorQueue.isEndOfFile { return .cut }
            let verdict = SSL_get_verify_result(connection)
            if !isEstablished, peer != nil, verdict != X509_V_OK {
                return .failed(TLSError(.certificate, TLSVerification.text(verdict)))
            }
            return .failed(TLSError(.handshake, TLSErrorQueue.connectionText))
        }
    }

    private func fail(_ error: TLSError) -> TLSProgress {
        end(.failed(error))
        if let peer { context.sessions.removeAll(of: peer) }
        return .failed(error)
    }

    /// Ends reading and writing.
    private func end(_ progress: TLSProgress) {
        readEnd = progress
        writeFailure = writeFailure ?? progress.error ?? .cut
    }
}

/// Access of sessions to their sockets. Created once, never changed.
nonisolated(unsafe) private let socketMethod = headgate_bio_make_method()

/// Result of one step of a ``TLSSession``.
package enum TLSProgress: Equatable, Sendable {
    /// The number of moved bytes; 0 if there were none to move, as at the end of a handshake.
    case bytes(Int)
    /// Nothing was moved. The same step must be repeated when the socket is readable, even if it is a write.
    case wantsRead
    /// Nothing was moved. The same step must be repeated when the socket is writable, even if it is a read.
    case wantsWrite
    /// The peer sent close_notify, and all of its data has arrived.
    case closed
    /// The connection ended without close_notify: data can be missing, and nothing more can be sent.
    case cut
    case failed(TLSError)

    var error: TLSError? {
        if case .failed(let error) = self { error } else { nil }
    }
}
