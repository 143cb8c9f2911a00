import COpenSSL
import Testing

@testable import HeadgateNetwork

@Suite struct TLSSessionCacheTests {
    private let cache = TLSSessionCache()

    private func peer(_ number: Int) -> TLSSessionCache.Peer {
        TLSSessionCache.Peer(hostName: "host-\(number)", port: 443)
    }

    private func session(version: Int32 = TLS1_3_VERSION) throws -> TLSSessionCache.Session {
        let pointer = try #require(SSL_SESSION_new())
        SSL_SESSION_set_protocol_version(pointer, version)
        return TLSSessionCache.Session(pointer)
    }

    @Test func newestSessionIsUsedOnce() throws {
        let sessions = try [session(), session()]
        for session in sessions { cache.insert(session, for: peer(1)) }
        #expect(cache.take(for: peer(1)) === sessions[1])
        #expect(cache.take(for: peer(1)) === sessions[0])
        #expect(cache.take(for: peer(1)) == nil)
        #expect(cache.count == 0)
    }

    @Test func sessionOfOldVersionIsCopied() throws {
        let original = try session(version: TLS1_2_VERSION)
        cache.insert(original, for: peer(1))
        for _ in 0..<3 {
            let copy = try #require(cache.take(for: peer(1)))
            #expect(copy.pointer != original.pointer)
        }
        #expect(cache.count == 1)
    }

    @Test func sessionsOfAPeerAreBounded() throws {
        let sessions = try (0..<20).map { _ in try session() }
        for session in sessions { cache.insert(session, for: peer(1)) }
        #expect(cache.count == TLSSessionCache.maximumSessionsPerPeer)
        #expect(cache.take(for: peer(1)) === sessions[19])
    }

    @Test func peersAreBoundedAndTheLeastRecentGoesFirst() throws {
        for number in 0..<TLSSessionCache.maximumPeers { cache.insert(try session(), for: peer(number)) }
        cache.insert(try session(), for: peer(0))
        cache.insert(try session(), for: peer(1000))
        #expect(cache.take(for: peer(1)) == nil)
        #expect(cache.take(for: peer(0)) != nil)
        #expect(cache.take(for: peer(1000)) != nil)
        #expect(cache.count == TLSSessionCache.maximumPeers - 1)
    }

    @Test func onePeersSessionsAreForgotten() throws {
        for number in 1...2 { cache.insert(try session(), for: peer(number)) }
        cache.removeAll(of: peer(1))
        cache.removeAll(of: peer(3))
        #expect(cache.take(for: peer(1)) == nil)
        #expect(cache.take(for: peer(2)) != nil)
    }
}
