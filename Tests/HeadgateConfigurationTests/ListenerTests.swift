import HeadgateConfiguration
import HeadgateTesting
import Testing

@Suite struct ListenerTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func anAddressAMappingAndAListAreAccepted() throws {
        let first = ListenerConfiguration(address: try ListenAddress(parsing: "127.0.0.1:1"))
        let second = ListenerConfiguration(
            address: try ListenAddress(parsing: "unix:/run/x"), authentication: .peer, mode: 0o660, uids: [0, 1000])
        let mapping = "{address: 'unix:/run/x', auth: peer, mode: 0660, uids: [0, 1000]}"
        #expect(try parse("listen: 127.0.0.1:1").listeners == [first])
        #expect(try parse("listen: \(mapping)").listeners == [second])
        #expect(try parse("listen: ['127.0.0.1:1', \(mapping)]").listeners == [first, second])
    }

    @Test func defaultsDependOnTheAddress() throws {
        let listeners = try parse("listen: ['127.0.0.1:1', 'unix:/run/x']").listeners
        #expect(listeners.map(\.authentication) == [.key, .peer])
        #expect(listeners.map(\.mode) == [0o600, 0o600])
        #expect(listeners.map(\.tls) == [nil, nil])
    }

    @Test func aListenerCanServeOnlyOllamasRoutes() throws {
        let listeners = try parse("listen: ['127.0.0.1:1', {address: '127.0.0.1:11434', api: ollama}]").listeners
        #expect(listeners.map(\.api) == [.all, .ollama])
        #expect(listeners.withEveryRoute == [listeners[0]])
        #expect(try parse("listen: {address: '127.0.0.1:1', api: all}").listeners[0].api == .all)
        #expect(issues("listen: {address: '127.0.0.1:1', api: olama}").first?.contains("api: found \"olama\"") == true)
    }

    @Test func aMetricsListenerCanBeKeyless() throws {
        let text = "metrics: true\nlisten: ['127.0.0.1:1', {address: '0.0.0.0:9464', api: metrics, auth: none}]"
        let listeners = try parse(text).listeners
        #expect(listeners.map(\.api) == [.all, .metrics] && listeners[1].authentication == .none)
        #expect(listeners.withEveryRoute == [listeners[0]])
        #expect(
            issues("listen: {address: '127.0.0.1:1', api: metrics}") == [
                "t.yaml:1:1: error: a listener has api: metrics, but there are none: add metrics: true"
            ])
    }

    @Test(arguments: [("0600", 0o600), ("'0777'", 0o777), ("640", 0o640), ("\"000\"", 0)])
    func modesAreOctal(_ text: String, _ mode: UInt32) throws {
        #expect(try parse("listen: {address: 'unix:/x', mode: \(text)}").listeners[0].mode == mode)
    }

    @Test(arguments: ["0o600", "1777", "0888", "6", "+600", "06000", "-600"])
    func otherModesAreRefused(_ text: String) {
        #expect(
            issues("listen: {address: 'unix:/x', mode: '\(text)'}") == [
                "t.yaml:1:36: error: mode: found \"\(text)\", expected a mode in octal digits, such as 0600"
            ])
    }

    @Test func portZeroCanBeRepeated() throws {
        #expect(try parse("listen: ['127.0.0.1:0', '127.0.0.1:0']").listeners.count == 2)
    }

    @Test(arguments: [
        BadInput(
            "['127.0.0.1:1', {address: '127.0.0.1:1'}]",
            "1:35: error: address: found \"127.0.0.1:1\", it is already at line 1: keep one of them"),
        BadInput(
            "['unix:/x', 'unix:/x']",
            "1:21: error: listen: found \"unix:/x\", it is already at line 1: keep one of them"),
        BadInput("[]", "1:9: error: listen: the list is empty: name an address, or remove it"),
        BadInput("{auth: key}", "1:9: error: a listener has no address: add address: 127.0.0.1:8686"),
        BadInput(
            "{adress: '127.0.0.1:1', auth: none}", "1:10: error: unknown key \"adress\": did you mean \"address\"?"),
        BadInput(
            "{address: '127.0.0.1:1', auth: peer}",
            "1:40: error: auth: peer is only for a Unix socket (unix:/path): write key"),
        BadInput(
            "{address: '0.0.0.0:1', auth: none}",
            "1:38: error: auth: none is only for addresses that no other machine reaches: write key"),
        BadInput(
            "{address: '127.0.0.1:1', auth: nobody}",
            "1:40: error: auth: found \"nobody\", expected key, peer or none"),
        BadInput(
            "{address: '127.0.0.1:1', mode: 0600}",
            "1:34: error: mode: only a Unix socket (unix:/path) takes it, and this is 127.0.0.1:1: remove it"),
        BadInput(
            "{address: '127.0.0.1:1', uids: [1]}",
            "1:34: error: uids: only a Unix socket (unix:/path) takes it, and this is 127.0.0.1:1: remove it"),
        BadInput(
            "{address: 'unix:/x', auth: key, uids: [1]}",
            "1:41: error: uids: only auth: peer asks who the caller is: remove it"),
        BadInput(
            "{address: 'unix:/x', uids: [root]}",
            "1:37: error: uids: found \"root\", expected a whole number from 0 to 4294967294"),
        BadInput(
            "{address: '127.0.0.1:1', tls: {cert: /dev/null}}",
            "1:46: error: cert: found \"/dev/null\", this is not a regular file: give the path of a PEM file"),
    ])
    func listenerMistakes(_ input: BadInput) {
        let found = issues("listen: \(input.text)")
        #expect(found.contains("t.yaml:" + input.issue), "\(found)")
    }

    @Test func theFilesOfTLSMustBeReadable() throws {
        let certificate = try folder.file("cert.pem", "")
        let key = try folder.file("key.pem", "")
        let text = "listen: {address: '127.0.0.1:1', tls: {cert: \(certificate), key: \(key)}}"
        #expect(try parse(text).listeners[0].tls == TLSFiles(certificate: certificate, key: key))
        #expect(
            issues("listen: {address: '127.0.0.1:1', tls: {cert: /none/c, key: k.pem}}") == [
                "t.yaml:1:46: error: cert: found \"/none/c\", there is no such file: check the path",
                "t.yaml:1:60: error: key: found \"k.pem\", expected an absolute path such as /etc/headgate/cert.pem",
            ])
        #expect(
            issues("listen: {address: '127.0.0.1:1', tls: {key: \(key)}}") == [
                "t.yaml:1:34: error: tls has no cert: add cert: and an absolute path such as /etc/headgate/cert.pem"
            ])
        #expect(
            issues("listen: {address: 'unix:/x', tls: {cert: \(certificate), key: \(key)}}") == [
                "t.yaml:1:30: error: tls: a Unix socket takes none, and this is unix:/x: remove it"
            ])
    }

    @Test func theVariableReplacesTheWholeListWhichIsStillChecked() throws {
        let environment = ["HEADGATE_LISTEN": "unix:/run/y"]
        let listeners = try parse("listen: ['127.0.0.1:1', '127.0.0.1:2']", environment: environment).listeners
        #expect(listeners == [ListenerConfiguration(address: try ListenAddress(parsing: "unix:/run/y"))])
        #expect(issues("listen: x", environment: environment).count == 1)
    }

    @Test func callersWithoutKeyAreCountedOnce() {
        let (tcp, unix) = (ListenAddress.standard, ListenAddress.unix(path: "/s"))
        #expect([ListenerConfiguration(address: tcp)].callersWithoutKey(owner: 1) == 0)
        #expect([ListenerConfiguration(address: unix)].callersWithoutKey(owner: 1) == 1)
        let several = [
            ListenerConfiguration(address: unix, uids: [2, 1]), ListenerConfiguration(address: unix, uids: [2, 3]),
            ListenerConfiguration(address: tcp, authentication: ListenerConfiguration.Authentication.none),
            ListenerConfiguration(address: tcp),
        ]
        #expect(several.callersWithoutKey(owner: 1) == 4)
    }
}
