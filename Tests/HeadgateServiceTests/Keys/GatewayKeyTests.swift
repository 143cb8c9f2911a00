import HeadgateGateway
import HeadgateRelay
import HeadgateTesting
import Testing

@testable import HeadgateService

@Suite struct GatewayKeyTests {
    private let folder: TemporaryFolder
    private var environment: [String: String] { ["XDG_CONFIG_HOME": folder.path] }

    init() throws { folder = try TemporaryFolder() }

    @Test func keyIsCreatedOnceInAPrivateFile() throws {
        let key = try GatewayKey.loadOrMake(environment: environment)
        #expect(key.hasPrefix("hg-") && key.utf8.count == 46)
        #expect(try folder.read("headgate/key") == key + "\n")
        #expect(fileMode(folder.path + "/headgate/key") == 0o600)
        #expect(fileMode(folder.path + "/headgate") == 0o700)
        #expect(try GatewayKey.loadOrMake(environment: environment) == key)
        #expect(try GatewayKey.load(environment: environment) == key)
    }

    @Test func lookingForAKeyCreatesNothing() throws {
        #expect(try GatewayKey.load(environment: environment) == nil)
        #expect(fileMode(folder.path + "/headgate") == nil)
    }

    @Test func twoKeysDiffer() throws {
        #expect(NewKey.make() != NewKey.make())
    }

    @Test(arguments: ["\n", "\r\n", ""]) func ownKeyIsReadWithoutItsLineEnd(end: String) throws {
        #expect(try key(in: "my-own-key-of-20-octets" + end) == "my-own-key-of-20-octets")
    }

    @Test(arguments: [
        ("", "holds no key, or one that is too short"), ("short\n", "holds no key, or one that is too short"),
        ("a key of words, not one word", "holds a space"), ("schlüssel-schlüssel-schlüssel", "holds a space"),
        ("one-key-of-20-octets-\ntwo\n", "holds more than one line"),
        (String(repeating: "k", count: 257), "is longer than a key"),
    ])
    func unsendableKeyIsRefused(text: String, reason: String) throws {
        let error = #expect(throws: Complaint.self) { try key(in: text) }
        #expect(error?.exitCode == .configuration)
        #expect(error?.message.contains("key.txt \(reason)") == true)
        #expect(text.isEmpty || error?.message.contains(text) == false, "the key itself is not shown")
    }

    @Test func keyFileIsTheNamedOneElseOfTheConfigurationFolder() throws {
        #expect(try GatewayKey.path(["HEADGATE_KEY_FILE": "/k", "XDG_CONFIG_HOME": "/x"]) == "/k")
        #expect(try GatewayKey.path(["XDG_CONFIG_HOME": "/x", "HOME": "/h"]) == "/x/headgate/key")
        #expect(try GatewayKey.path(["XDG_CONFIG_HOME": "x", "HOME": "/h"]) == "/h/.config/headgate/key")
        #expect(throws: Complaint.self) { try GatewayKey.path([:]) }
    }

    private func key(in text: String) throws -> String? {
        let file = try folder.file("key.txt", text)
        return try GatewayKey.load(environment: ["HEADGATE_KEY_FILE": file])
    }
}
