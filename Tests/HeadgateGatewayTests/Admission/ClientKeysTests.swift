import HeadgateConfiguration
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct ClientKeysTests {
    private func configuration(_ name: String, _ key: String, _ models: [String] = ["*"], expires: Int64? = nil)
        -> KeyConfiguration
    {
        KeyConfiguration(name: name, digest: KeyDigest(of: key.utf8).bytes, models: models, expires: expires)
    }

    @Test func keyIsFoundByThePresentedText() throws {
        let keys = ClientKeys([configuration("a", "key-a"), configuration("b", "key-b")])
        #expect(!keys.isKeyless)
        #expect(try keys.key(digest: KeyDigest(of: "key-a".utf8), at: 0)?.name == "a")
        #expect(try keys.key(digest: KeyDigest(of: "xkey-b".dropFirst().utf8), at: 0)?.name == "b")
        for other in ["key-A", "key-a ", "", "key-", "key-aa"] {
            #expect(try keys.key(digest: KeyDigest(of: other.utf8), at: 0) == nil)
        }
    }

    @Test func digestIsNotAKey() throws {
        let digest = KeyDigest(of: "key-a".utf8)
        let keys = ClientKeys([configuration("a", "key-a")])
        #expect(try keys.key(digest: KeyDigest(of: digest.hexadecimal.utf8), at: 0) == nil)
    }

    @Test func withoutKeysTheGatewayIsKeyless() {
        #expect(ClientKeys([]).isKeyless)
        #expect(ClientKey.keyless.allows(model: "anything"))
    }

    @Test func keyExpiresAtItsSecond() {
        let key = ClientKey(configuration("a", "x", expires: 100))
        #expect(!key.isExpired(at: 99) && key.isExpired(at: 100) && key.isExpired(at: 101))
        #expect(!ClientKey(configuration("a", "x")).isExpired(at: .max))
    }

    @Test func modelsAreNamesAndPrefixes() {
        let key = ClientKey(configuration("a", "x", ["one", "org/*"]))
        for allowed in ["one", "org/", "org/two"] { #expect(key.allows(model: allowed)) }
        for other in ["One", "one2", "org", "xorg/two", ""] { #expect(!key.allows(model: other)) }
        #expect(ClientKey(configuration("a", "x", ["*"])).allows(model: ""))
    }

    /// A pattern of the configuration can match more names than a key may use.
    @Test func keyForOneNameSeesNoSimilarPattern() {
        let key = ClientKey(configuration("a", "x", ["gpt-4"]))
        for other in ["gpt-4o-", "gpt-4o", "gpt-4-", "gpt-5", "h"] { #expect(!key.allowsSome(withPrefix: other)) }
        for own in ["gpt-4", "gpt-", "g", ""] { #expect(key.allowsSome(withPrefix: own)) }
        let wide = ClientKey(configuration("a", "x", ["gpt-4*"]))
        for own in ["gpt-4", "gpt-4o-", "gpt-", ""] { #expect(wide.allowsSome(withPrefix: own)) }
        #expect(!wide.allowsSome(withPrefix: "gpt-5"))
    }
}
