import HTTPTypes
import HeadgateConfiguration
import HeadgateEventLoop
import HeadgateHTTP
import HeadgatePrimitives
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct WrongKeyTableTests {
    private let clock = ManualClock()

    private var now: Int64 { Int64(clock.now / 1_000_000_000) }

    /// Returns the wait after each of `count` wrong keys in a row, in seconds; nil if the response is not 429.
    private func waits(_ table: inout WrongKeyTable, _ address: String, _ count: Int) -> [Int64?] {
        (0..<count).map { _ in table.note(address, at: now) }
    }

    @Test func addressIsSlowedAfterSomeWrongKeys() {
        var table = WrongKeyTable()
        #expect(waits(&table, "192.0.2.1", 12) == [Int64?](repeating: nil, count: 10) + [60, 60])
        #expect(table.note("192.0.2.2", at: now) == nil)
        clock.advance(by: .seconds(59))
        #expect(table.note("192.0.2.1", at: now) == 1)
        // Further wrong keys do not extend the window.
        clock.advance(by: .seconds(1))
        #expect(waits(&table, "192.0.2.1", 11) == [Int64?](repeating: nil, count: 10) + [60])
    }

    @Test(arguments: ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1", "", "unix"])
    func thisMachineIsNeverSlowed(_ address: String) {
        var table = WrongKeyTable()
        #expect(waits(&table, address, 100).allSatisfy { $0 == nil })
    }

    @Test func oneHostIsOneAddressInAnyForm() {
        var table = WrongKeyTable()
        _ = waits(&table, "2001:db8:1:2::1", 10)
        #expect(table.note("2001:db8:1:2:ffff::9", at: now) != nil)
        #expect(table.note("2001:db8:1:3::1", at: now) == nil)
        _ = waits(&table, "192.0.2.7", 10)
        #expect(table.note("::ffff:192.0.2.7", at: now) != nil)
        // An IPv6 network with the same bits is counted separately.
        #expect(table.note("::c000:207", at: now) == nil)
    }

    @Test func clockSetBackRestartsTheCount() {
        var table = WrongKeyTable()
        _ = waits(&table, "192.0.2.1", 20)
        #expect(table.note("192.0.2.1", at: now - 3600) == nil)
    }

    @Test func manyAddressesTakeNoMoreMemory() {
        var table = WrongKeyTable()
        for number in 0..<100_000 {
            #expect(table.note("10.\(number >> 16).\(number >> 8 & 255).\(number & 255)", at: now) == nil)
        }
        // The last address is still counted.
        clock.advance(by: .seconds(1))
        #expect(waits(&table, "192.0.2.1", 11).last != .some(nil))
    }

    // MARK: Authentication

    private func middleware() -> AuthenticationMiddleware {
        let keys = [KeyConfiguration(name: "good", digest: KeyDigest(of: "k1".utf8).bytes)]
        return AuthenticationMiddleware(
            keys: ClientKeys(keys), wrongKeys: WrongKeys(),
            now: { [clock] in Int64(clock.now) })
    }

    private func error(_ gate: AuthenticationMiddleware, _ key: String, from address: String) -> GatewayError? {
        do throws(GatewayError) {
            _ = try gate.authenticate(HeadFields([.xAPIKey: key]), from: address)
            return nil
        } catch {
            return error
        }
    }

    @Test func wrongKeysGetARetryTime() {
        let gate = middleware()
        for _ in 0..<10 { #expect(error(gate, "wrong", from: "192.0.2.1")?.status == 401) }
        let slowed = error(gate, "wrong", from: "192.0.2.1")
        #expect(slowed?.status == 429 && slowed?.code == "too_many_wrong_keys")
        #expect(slowed?.headerFields[.retryAfter] == "60" && slowed?.headerFields[.xShouldRetry] == "false")
        #expect(slowed?.message.contains("Incorrect API key provided") == true)
        #expect(error(gate, "wrong", from: "192.0.2.2")?.status == 401)
        clock.advance(by: .seconds(60))
        #expect(error(gate, "wrong", from: "192.0.2.1")?.status == 401)
    }

    /// Other clients can share the address.
    @Test func validKeyIsServedMeanwhile() {
        let gate = middleware()
        for _ in 0..<20 { _ = error(gate, "wrong", from: "192.0.2.1") }
        #expect(error(gate, "k1", from: "192.0.2.1") == nil)
    }

    @Test func requestWithoutAKeyDoesNotCountAsATry() {
        let gate = middleware()
        for _ in 0..<20 { #expect(error(gate, "", from: "192.0.2.1")?.status == 401) }
        #expect(error(gate, "wrong", from: "192.0.2.1")?.status == 401)
    }

    @Test func localWrongKeysAlwaysGetTheSameResponse() {
        let gate = middleware()
        for address in ["127.0.0.1", "::1", ""] {
            for _ in 0..<20 { #expect(error(gate, "wrong", from: address)?.status == 401) }
        }
    }
}
