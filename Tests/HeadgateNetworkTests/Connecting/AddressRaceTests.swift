import HeadgateEventLoop
import HeadgateLibC
import Testing

@testable import HeadgateNetwork

@Suite struct AddressRaceTests {
    /// TCP has no route to a multicast group on any network.
    @Test(arguments: [
        ["224.0.0.1", "127.0.0.2"], ["127.0.0.2", "224.0.0.1"], ["224.0.0.1", "127.0.0.2", "224.0.0.2"],
    ])
    func refusalIsReportedRatherThanAMissingRoute(_ addresses: [String]) async throws {
        // The port is bound for a moment, so that no one else listens on it.
        let port = try ListeningSocket("127.0.0.4").port
        #expect(try await failure(of: addresses, port: port) == .refused(ECONNREFUSED))
    }

    @Test func onlyAddressesWithoutARouteAreUnreachable() async throws {
        #expect(try await failure(of: ["224.0.0.1", "224.0.0.2"], port: 80) == .refused(ENETUNREACH))
    }

    private func failure(of addresses: [String], port: UInt16) async throws -> Connector.Failure? {
        let addresses = try addresses.map { try #require(IPAddress($0)) }
        let group = EventLoopGroup(count: 1)
        defer { group.stop() }
        let loop = group.loops[0]
        let result: Result<Int32, Connector.Failure> = await withUnsafeContinuation { continuation in
            loop.execute {
                var race: AddressRace?
                race = AddressRace(loop: loop, addresses: addresses, port: port) { result in
                    // The race lives until this callback.
                    race = nil
                    continuation.resume(returning: result)
                }
                race?.start()
            }
        }
        if case .failure(let failure) = result { return failure }
        return nil
    }
}
