internal import COpenSSL
internal import HeadgateLibC

/// TLS on one connected, non-blocking socket, which stays its owner's to watch and to close. Confined to its loop.
///
/// Every method does what can be done at once. What a step wants is reported as ``TLSProgress``, and the same step is
/// to be asked for again when the socket is ready for that: a read may have to write first, a write may have to read.
///
/// Nothing written reaches the socket before the handshake is over and the peer's certificate has been accepted.
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
    /// Its `SSL`.
    let connection: OpaquePointer
    /// Nil for a server.
    let peer: TLSSessionCache.Peer?
    /// Result of every later read.
    private var readEnd: TLSProgress?
    private var readEndIsKnown = false
    private var writeFailure: TLSError?
    /// The last read, or the handshake, did not come to the end of what had come.
    private var mayHoldMore = false
    /// Part of a record is with the kernel: only the rest of it can follow.
    private var hasHalfSentRecord = false
    private var closeNotifyIsSent = false

    /// - Throws: ``TLSError`` if the host name can be in no certificate, or memory is short.
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
        // Most connections end without close_notify, which does not invalidate their sessions. Alerts have already
        // ended theirs.
        if isEstablished { headgate_tls_forget_shutdown(connection) }
        SSL_free(connection)
    }

    // MARK: Steps

    /// Continues the handshake: ``TLSProgress/bytes(_:)`` when it is complete, else its next need, or
    /// ``TLSProgress/failed(_:)`` permanently, also if the peer disconnects.
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

    /// Decrypts what has come, as much as the buffer holds: ``TLSProgress/bytes(_:)`` with at least one byte, or what
    /// there is instead. The end of the connection is reported after all bytes before it, and again ever after.
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

    /// Whether another ``read(into:)`` is due although the socket need not become readable: OpenSSL may hold bytes, or
    /// an end is not reported yet. False after a read that wanted something.
    package var hasPending: Bool {
        if readEnd != nil { return isEstablished && !readEndIsKnown }
        return mayHoldMore && SSL_has_pending(connection) == 1
    }

    /// Encrypts and sends as much as the socket takes: ``TLSProgress/bytes(_:)`` with at least one byte unless there
    /// are none.
    ///
    /// After ``TLSProgress/wantsWrite`` or ``TLSProgress/wantsRead`` the same bytes must come again, from anywhere,
    /// with or without others behind them: a part of them is encrypted already. So must what was not taken of the last
    /// call.
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
    /// - Returns: false if the socket has no room for it now: call again when it is writable. True also if it cannot be
    ///   sent at all, as after a failure or in the middle of a record.
    @discardableResult package func shutdown() -> Bool {
        guard isEstablished, !closeNotifyIsSent, !hasHalfSentRecord, writeFailure == nil else { return true }
        prepare()
        let status = SSL_shutdown(connection)
        if status < 0, progress(after: status) == .wantsWrite { return false }
        closeNotifyIsSent = true
        return true
    }

    // MARK: What was agreed

    /// Whether the handshake took up an earlier session.
    package var isResumed: Bool { SSL_session_reused(connection) == 1 }

    /// Nil before the handshake is over.
    package var protocolVersion: TLSVersion? {
        isEstablished ? SSL_get_version(connection).flatMap { TLSVersion(rawValue: String(cString: $0)) } : nil
    }

    /// For a server: the name that the client asked for, unverified.
    package var serverName: String? { headgate_tls_server_name(connection).map { String(cString: $0) } }

    /// The protocol agreed on by ALPN, if the peer knows of it.
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

    /// Nothing can be read or sent after this.
    private func end(_ progress: TLSProgress) {
        readEnd = progress
        writeFailure = writeFailure ?? progress.error ?? .cut
    }
}

/// How sessions reach their sockets. Made once, never changed.
nonisolated(unsafe) private let socketMethod = headgate_bio_make_method()

/// Result of one step of a ``TLSSession``.
package enum TLSProgress: Equatable, Sendable {
    /// So many bytes were moved; 0 when there were none to move, as at the end of a handshake.
    case bytes(Int)
    /// Nothing was moved: the same step again when the socket is readable, also if it was a write.
    case wantsRead
    /// Nothing was moved: the same step again when the socket is writable, also if it was a read.
    case wantsWrite
    /// The peer sent close_notify: all that it had to say has come.
    case closed
    /// The connection ended without close_notify: data can be missing, and nothing more can be sent.
    case cut
    case failed(TLSError)

    var error: TLSError? {
        if case .failed(let error) = self { error } else { nil }
    }
}
