internal import COpenSSL
internal import HeadgateEventLoop
internal import HeadgatePrimitives

/// Sessions that clients of one context can resume, on any thread. Both the number of peers and the number of sessions
/// per peer are bounded.
final class TLSSessionCache: Sendable {
    /// Server whose certificate was verified. Sessions belong to it, since resuming one does not verify a certificate
    /// again.
    struct Peer: Equatable, Sendable {
        let hostName: String
        let port: UInt16
    }

    /// Reference to an `SSL_SESSION`, released at the end.
    final class Session {
        let pointer: OpaquePointer

        /// - Parameter pointer: a reference that this object takes over.
        init(_ pointer: OpaquePointer) { self.pointer = pointer }

        deinit { SSL_SESSION_free(pointer) }
    }

    private struct Entry {
        let peer: Peer
        var sessions: [Session]
    }

    static let maximumPeers = 64
    static let maximumSessionsPerPeer = 8

    /// Entries in the order of their last change, oldest first. The list is short enough to be searched once per
    /// connection.
    private let entries = Locked<[Entry]>([])

    var count: Int { entries.withLock { $0.reduce(0) { $0 + $1.sessions.count } } }

    func insert(_ session: Session, for peer: Peer) {
        // Dropped sessions are freed after the lock.
        _ = entries.withLock { entries -> ([Session], Entry?) in
            guard let index = entries.firstIndex(where: { $0.peer == peer }) else {
                entries.append(Entry(peer: peer, sessions: [session]))
                return ([], entries.count > TLSSessionCache.maximumPeers ? entries.removeFirst() : nil)
            }
            var entry = entries.remove(at: index)
            entry.sessions.append(session)
            let oldest =
                entry.sessions.count > TLSSessionCache.maximumSessionsPerPeer ? entry.sessions.removeFirst() : nil
            entries.append(entry)
            return (oldest.map { [$0] } ?? [], nil)
        }
    }

    /// Returns the newest session. A session of TLS 1.3 is returned only once, so that observers cannot link
    /// connections (RFC 8446 C.4). A session of TLS 1.2 is copied, since OpenSSL writes into the session of a running
    /// handshake.
    func take(for peer: Peer) -> Session? {
        entries.withLock { entries in
            guard let index = entries.firstIndex(where: { $0.peer == peer }), let newest = entries[index].sessions.last
            else { return nil }
            if SSL_SESSION_get_protocol_version(newest.pointer) < TLS1_3_VERSION {
                return SSL_SESSION_dup(newest.pointer).map(Session.init)
            }
            var entry = entries.remove(at: index)
            entry.sessions.removeLast()
            if !entry.sessions.isEmpty { entries.append(entry) }
            return newest
        }
    }

    /// Removes the sessions of a peer after a failed handshake, which they might have caused.
    func removeAll(of peer: Peer) {
        _ = entries.withLock { entries in
            entries.firstIndex { $0.peer == peer }.map { entries.remove(at: $0) }
        }
    }
}
