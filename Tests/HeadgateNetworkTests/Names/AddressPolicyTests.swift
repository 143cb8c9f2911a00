import HeadgateNetwork
import Testing

struct AddressPolicyTests {
    private func verdict(_ text: String, for host: String = "api.example.com", allowsPrivate: Bool) throws
        -> AddressPolicy.Verdict
    {
        AddressPolicy(allowsPrivate: allowsPrivate).check(try #require(IPAddress(text)), for: host)
    }

    private func refusal(_ text: String, for host: String = "api.example.com", allowsPrivate: Bool) throws -> String? {
        guard case .refused(let reason) = try verdict(text, for: host, allowsPrivate: allowsPrivate) else { return nil }
        return reason
    }

    @Test(arguments: [
        // Link-local and metadata addresses.
        "169.254.0.0", "169.254.169.254", "169.254.255.255", "fe80::1", "febf:ffff::1", "fd00:ec2::254",
        "fd20:ce::254", "168.63.129.16", "100.100.100.200", "192.0.0.192",
        // The same addresses inside IPv6: mapped, translated, compatible, NAT64 twice, 6to4, Teredo.
        "::ffff:169.254.169.254", "::ffff:0:169.254.169.254", "::169.254.169.254", "64:ff9b::169.254.169.254",
        "64:ff9b:1::169.254.169.254", "2002:a9fe:a9fe::1", "2001:0:1:2:3:4:5601:5601",
        // Addresses of no host, of many hosts, and of all hosts.
        "0.0.0.0", "0.1.2.3", "::", "::2", "::ffff:0.0.0.0", "224.0.0.1", "239.255.255.255", "ff02::1", "240.0.0.1",
        "255.255.255.255", "64:ff9b::255.255.255.255", "::ffff:224.0.0.1",
    ])
    func neverWhateverIsConfigured(_ address: String) throws {
        for allowsPrivate in [false, true] {
            for host in ["api.example.com", "localhost", address] {
                let reason = try #require(try refusal(address, for: host, allowsPrivate: allowsPrivate))
                #expect(reason.hasPrefix(try #require(IPAddress(address)).description + " "))
                #expect(!reason.contains("allow_private"), "a key that would not help")
            }
        }
    }

    @Test(arguments: [
        "10.0.0.0", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.0.1", "192.168.255.255", "100.64.0.1",
        "100.127.255.255", "198.18.0.1", "192.0.0.8", "fc00::1", "fdff:ffff::1", "fec0::1", "::ffff:10.1.2.3",
        "64:ff9b::192.168.1.1", "2002:0a00:0001::1", "::172.16.0.1",
    ])
    func privateOnlyWhenAllowed(_ address: String) throws {
        let reason = try #require(try refusal(address, allowsPrivate: false))
        #expect(reason.hasPrefix(try #require(IPAddress(address)).description + " "))
        #expect(reason.contains("`allow_private: true`"))
        #expect(try refusal(address, for: "localhost", allowsPrivate: false) != nil)
        #expect(try verdict(address, allowsPrivate: true) == .allowed)
    }

    @Test(arguments: ["127.0.0.1", "127.255.255.255", "::1", "::ffff:127.0.0.1", "64:ff9b::127.0.0.1"])
    func loopbackOnlyForALoopbackHost(_ address: String) throws {
        let reason = try #require(try refusal(address, allowsPrivate: false))
        #expect(reason.contains("loopback") && reason.contains("`allow_private: true`"))
        for host in ["localhost", "127.0.0.1", "::1", "model.localhost"] {
            #expect(try verdict(address, for: host, allowsPrivate: false) == .allowed)
        }
        #expect(try verdict(address, allowsPrivate: true) == .allowed)
    }

    @Test func refusalShowsTheEmbeddedAddress() throws {
        let reason = try refusal("64:ff9b::224.0.0.1", allowsPrivate: true)
        #expect(
            reason
                == "64:ff9b::e000:1 (224.0.0.1 inside IPv6) is a multicast address, to which Headgate never connects"
        )
    }

    @Test(arguments: [
        "1.1.1.1", "9.255.255.255", "11.0.0.0", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0",
        "192.167.255.255", "192.169.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0",
        "198.17.255.255", "198.20.0.0", "223.255.255.255", "2606:4700::1111", "fbff::1", "::ffff:8.8.8.8",
        "64:ff9b::8.8.8.8", "2002:0808:0808::1", "2001:4860:4860::8888",
    ])
    func publicAlways(_ address: String) throws {
        #expect(try verdict(address, allowsPrivate: false) == .allowed)
    }
}
