import HeadgateConfiguration
import Testing

@Suite struct ListenAddressTests {
    @Test(arguments: [
        ("127.0.0.1:8686", true), ("[::1]:8686", true), ("localhost:8686", true), ("0.0.0.0:8686", false),
        ("[::]:0", false), ("10.1.2.3:65535", false),
    ])
    func addressesAreReadAndPrintedAlike(_ text: String, _ isLoopback: Bool) throws {
        let address = try ListenAddress(parsing: text)
        #expect(address.description == text)
        #expect(address.isLoopback == isLoopback)
    }

    @Test(arguments: [("8686", "127.0.0.1:8686"), (":9000", "127.0.0.1:9000"), ("0", "127.0.0.1:0")])
    func portAloneIsOnLoopback(_ text: String, _ address: String) throws {
        #expect(try ListenAddress(parsing: text).description == address)
    }

    @Test(arguments: [
        "", ":", "8686:", "-1", "65536", ":08686", "127.0.0.1", "127.0.0.1:", "127.0.0.1:-1", "127.0.0.1:65536",
        "127.1:80", "::1:80",
        "[::1]",
        "example.com:80", "*:80", "127.0.0.1:80/", "127.0.0.1 :80", "http://127.0.0.1:80",
    ])
    func otherAddressesAreRefused(_ text: String) {
        #expect(throws: InvalidValue.self) { try ListenAddress(parsing: text) }
    }
}
