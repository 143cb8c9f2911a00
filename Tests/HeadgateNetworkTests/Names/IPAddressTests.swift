import Testing

@testable import HeadgateNetwork

struct IPAddressTests {
    @Test(arguments: [
        ("127.0.0.1", IPAddress.v4(0x7F00_0001)), ("255.255.255.255", .v4(.max)), ("::", .v6(0, 0)), ("::1", .v6(0, 1)),
        ("fe80::1", .v6(0xFE80_0000_0000_0000, 1)), ("::ffff:1.2.3.4", .v6(0, 0xFFFF_0102_0304)),
        ("2001:db8:1:2:3:4:5:6", .v6(0x2001_0DB8_0001_0002, 0x0003_0004_0005_0006)),
    ])
    func isReadAndWrittenInItsUsualForm(_ text: String, _ address: IPAddress) {
        #expect(IPAddress(text) == address)
        #expect(address.description == text)
    }

    @Test(arguments: [
        "", "localhost", "127.1", "0x7f000001", "2130706433", "1.2.3.4.5", "1.2.3.256", "01.2.3.4", "[::1]",
        "fe80::1%lo", "::1\0", "1.2.3.4 ", ":::", "12345::",
    ])
    func nothingElseIsAnAddress(_ text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test func familiesTakeTurnsAndTheFirstStaysFirst() {
        let (a, b, c) = (IPAddress.v4(1), IPAddress.v4(2), IPAddress.v4(3))
        let (x, y) = (IPAddress.v6(0, 1), IPAddress.v6(0, 2))
        #expect(IPAddress.interleaved([a, b, c, x, y]) == [a, x, b, y, c])
        #expect(IPAddress.interleaved([x, y, a]) == [x, a, y])
        #expect(IPAddress.interleaved([a, b]) == [a, b])
        #expect(IPAddress.interleaved([]).isEmpty)
    }
}

struct HostNameTests {
    @Test(arguments: ["localhost", "LocalHost", "localhost.", "model.localhost", "127.0.0.1", "127.9.9.9", "::1"])
    func loopbackHosts(_ host: String) { #expect(HostName.isLoopback(host)) }

    @Test(arguments: ["example.com", "localhost.example.com", "notlocalhost", "128.0.0.1", "::2", "2130706433", ""])
    func otherHosts(_ host: String) { #expect(!HostName.isLoopback(host)) }

    @Test(arguments: ["", "a b", "a\r\nX: y", "a\0.example", "user@host", "a/b", "[::1]", "fe80::1%lo", "h\u{F6}st"])
    func hostsThatARequestCannotContain(_ host: String) { #expect(!HostName.isWellFormed(host)) }

    @Test(arguments: ["a", "api.example.com", "::1", "10.0.0.1", "under_score.example", "xn--hst-sna.example"])
    func hostsThatCan(_ host: String) { #expect(HostName.isWellFormed(host)) }
}
