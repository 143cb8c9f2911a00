import HTTPTypes
import HeadgateConfiguration
import HeadgateDialects
import HeadgateHTTP
import HeadgatePrimitives
import HeadgateStores
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Managed keys exactly at their bounds, and one beyond.
@Suite struct KeyBoundsTests {
    private static let path = "/v1/admin/keys"
    /// Time of the gateway's clock, in seconds since 1970.
    private static let now = InProcessGateway.now / 1_000_000_000

    private func digest(_ text: String) -> KeyDigest { KeyDigest(of: text.utf8) }

    // MARK: Pages

    @Test func pageHasAtMostAThousandKeys() async {
        let gateway = ManagedGateway()
        #expect(await gateway.running.ask(.get, Self.path + "?limit=1000").status == 200)
        for limit in ["1001", "0", "-1", "x"] {
            let refused = await gateway.running.ask(.get, Self.path + "?limit=\(limit)")
            #expect(refused.status == 400 && refused.member("message") == "'limit' must be from 1 to 1000.")
        }
    }

    @Test func pageHasAHundredKeysByDefault() async {
        let gateway = ManagedGateway()
        for number in 1...101 {
            if number == 101 {
                let full = await gateway.running.ask(.get, Self.path + "?after=k").text
                #expect(full.hasSuffix(#""has_more":false}"#) && full.split(separator: #""managed":true"#).count == 101)
            }
            gateway.store.add(ManagedKey(name: "k\(number)", digest: digest("\(number)"), created: 0)) { _ in }
        }
        let page = await gateway.running.ask(.get, Self.path + "?after=k").text
        #expect(page.hasSuffix(#""has_more":true}"#) && page.split(separator: #""managed":true"#).count == 101)
    }

    // MARK: Times

    @Test func rotatedDigestEndsWithItsGraceAndNoLaterThanTheOneAfterIt() {
        let first = ManagedKey(name: "a", digest: digest("1"), created: 0)
        #expect(first.rotated(to: digest("2"), until: 10, at: 10).former.isEmpty)
        #expect(first.rotated(to: digest("2"), until: 11, at: 10).former == [.init(digest("1"), until: 11)])
        let second = first.rotated(to: digest("2"), until: 100, at: 10)
        let third = second.rotated(to: digest("3"), until: 50, at: 20)
        #expect(third.former == [.init(digest("1"), until: 50), .init(digest("2"), until: 50)])
        let later = second.rotated(to: digest("3"), until: 200, at: 20)
        #expect(later.former == [.init(digest("1"), until: 100), .init(digest("2"), until: 200)])
        #expect(later.rotated(to: digest("4"), until: 300, at: 100).former.map(\.digest) == [digest("2"), digest("3")])
    }

    @Test(
        arguments: [
            ("1s", 1), ("59m", 3540), ("12h", 43_200), ("7d", 604_800), ("9999s", 9999), ("0s", nil), ("01s", nil),
            ("10000s", nil), ("s", nil), ("5", nil), ("", nil), ("5w", nil), ("1.5h", nil), ("/s", nil), (":s", nil),
            ("-5s", nil), ("5S", nil),
        ] as [(String, Int64?)])
    func graceIsAShortNumberAndAUnit(_ text: String, _ seconds: Int64?) {
        #expect(KeyGrace.seconds(text) == seconds)
    }

    @Test func graceIsNeverShortened() {
        let second: Int64 = 1_000_000_000
        #expect(KeyGrace.end(of: 0, at: 2 * second - 1) == 1, "at once")
        #expect(KeyGrace.end(of: 5, at: 2 * second) == 7)
        #expect(KeyGrace.end(of: 5, at: 2 * second + 1) == 8)
        #expect(KeyGrace.end(of: 5, at: 3 * second - 1) == 8)
    }

    @Test func newKeyExpiresInTheFuture() throws {
        func settings(_ expires: Int64) throws {
            let time = KeyDocument.time(expires)
            _ = try KeyRequest.addition(
                ["name": "a", "expires": .string(time)], groups: [], hasLedger: true, at: Self.now)
        }
        try settings(Self.now + 1)
        #expect(throws: GatewayError.self) { try settings(Self.now) }
    }

    @Test func documentTellsExpiryAndGraceToTheSecond() {
        func text(_ key: ManagedKey) -> String {
            String(decoding: KeyDocument(key, beside: [], groups: nil, at: Self.now).json, as: UTF8.self)
        }
        for (offset, isExpired) in [(-1, true), (0, true), (1, false)] as [(Int64, Bool)] {
            let expires = KeyDocument.time(Self.now + offset)
            let key = ManagedKey(name: "a", digest: digest("1"), settings: #"{"expires":"\#(expires)"}"#, created: 0)
            #expect(text(key).contains(#""is_expired":\#(isExpired)"#))
        }
        var key = ManagedKey(name: "a", digest: digest("1"), created: 0)
        key.former = [.init(digest("2"), until: Self.now)]
        #expect(text(key).contains(#""former_until":null"#))
        key.former = [.init(digest("3"), until: Self.now + 2), .init(digest("2"), until: Self.now + 1)]
        #expect(text(key).contains(#""former_until":"\#(KeyDocument.time(Self.now + 2))""#))
    }

    @Test(arguments: [(-1, true), (1, false)] as [(Int64, Bool)])
    func commandTellsWhetherAKeyIsExpired(_ offset: Int64, _ isExpired: Bool) {
        let expires = KeyDocument.time(Self.now + offset)
        let key = ManagedKey(name: "a", digest: digest("1"), settings: #"{"expires":"\#(expires)"}"#, created: 0)
        let report = KeyReport(key, at: Self.now)
        #expect(report.facts.first { $0.name == "expired" }?.value == (isExpired ? "yes" : ""))
        #expect(report.facts.first { $0.name == "expires" }?.value == expires)
        #expect(report.expiry == (isExpired ? "expired" : String(expires.prefix(10))))
    }

    @Test(arguments: [(true, "admin"), (false, "")])
    func commandShowsAdministrators(_ isAdmin: Bool, _ settings: String) {
        let key = ManagedKey(name: "a", digest: digest("1"), settings: #"{"admin":\#(isAdmin)}"#, created: 0)
        #expect(KeyReport(key, at: Self.now).settings == settings)
    }

    @Test func configuredKeyIsExpiredFromItsEndOn() async {
        let soon = KeyConfiguration(name: "soon", digest: digest("1").bytes, expires: Self.now + 1)
        let gateway = ManagedGateway(keys: InProcessGateway.keys + [soon])
        for (name, isExpired) in [("past", true), ("soon", false)] {
            let text = await gateway.running.ask(.get, "\(Self.path)/\(name)").text
            #expect(text.contains(#""is_expired":\#(isExpired)"#), "\(text)")
        }
    }

    @Test func timesThatNoClockShowsAreClamped() {
        #expect(KeyDocument.time(.min) == "1970-01-01T00:00:00.000Z")
        #expect(KeyDocument.time(1) == "1970-01-01T00:00:01.000Z")
        #expect(KeyDocument.time(.max) == "2262-04-11T23:47:16.000Z")
        #expect(KeyDocument.time(9_223_372_035) == "2262-04-11T23:47:15.000Z")
    }

    // MARK: Names, keys and bodies

    @Test(arguments: [
        "a", "Z", "0", "9x", "a.b_c-d", String(repeating: "n", count: 64),
    ])
    func nameIsValid(_ name: String) { #expect(ManagedKeyName.isValid(name)) }

    @Test(arguments: [
        "", ".a", "_a", "-a", "a/b", "a:b", "a@b", "a[b", "a`b", "a{b", "a,b", "ä", String(repeating: "n", count: 65),
        "/", ":", "@", "[", "`", "{",
    ])
    func nameIsInvalid(_ name: String) { #expect(!ManagedKeyName.isValid(name)) }

    /// 256 bits in base64url: 43 characters, of which the last one has four.
    @Test func newKeysAreDifferentAndEncodeTheirBits() {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        let keys = (0..<300).map { _ in Array(NewKey.make().utf8) }
        #expect(Set(keys).count == 300)
        #expect(keys.allSatisfy { $0.starts(with: "hg-".utf8) && $0.count == 46 })
        #expect(Set(keys.flatMap { $0.dropFirst(3).dropLast() }) == Set(alphabet), "every character comes up")
        let last = Set(keys.compactMap { key in key.last.flatMap { alphabet.firstIndex(of: $0) } })
        #expect(last == Set(stride(from: 0, to: 64, by: 4)))
    }

    @Test(arguments: [(64 << 10, 201), ((64 << 10) + 1, 413)])
    func bodyHasALimit(_ size: Int, _ status: Int) async {
        let text = #"{"name":"a"}"#
        let body = text + String(repeating: " ", count: size - text.utf8.count)
        let response = await ManagedGateway().running.ask(.post, Self.path, body: body)
        #expect(response.status == status, "\(response.text)")
    }

    @Test func headOfTheKeysIsReadingThem() async {
        let gateway = ManagedGateway(keys: [])
        #expect(await gateway.running.ask(.get, Self.path, key: nil).status == 200)
        #expect(await gateway.running.ask(.head, Self.path, key: nil).status == 200)
    }

    // MARK: The first key

    /// The gateway checks for the key every 10 ms, for at most 3 s.
    @Test(arguments: [nil, 0, 500, 2990] as [Int?])
    func newKeyIsShownOnceItIsAcceptedAndAfterThreeSecondsAnyway(_ acceptedAfter: Int?) throws {
        let gateway = ManagedGateway(isServed: false)
        let clock = ManualClock()
        let metadata = LoopMetadata(clock: clock)
        metadata.bodyLimit = 1000
        let head = RequestHead(
            HTTPRequest(
                method: .post, scheme: "http", authority: "127.0.0.1:8686", path: Self.path,
                headerFields: [
                    .authorization: "Bearer \(InProcessGateway.clientKey)", .contentType: "application/json",
                ]))
        let status = Locked<Int?>(nil)
        gateway.running.gateway.respond(to: head, body: .bytes(Array(#"{"name":"a"}"#.utf8)), metadata: metadata) {
            let code = $0.head.status
            status.withLock { $0 = code }
        }
        clock.advance(by: .milliseconds(acceptedAfter ?? 2990))
        #expect(status.withLock { $0 } == nil)
        gateway.keys.areServed = acceptedAfter != nil
        clock.advance(by: .milliseconds(10))
        #expect(status.withLock { $0 } == 201)
    }

    // MARK: Lookup

    @Test func groupOfAKeyIsFoundAlsoOfARevokedOne() {
        let keys = ManagedKeys(report: { _ in })
        keys.hear(.all([ManagedKey(name: "a", digest: digest("1"), settings: #"{"group":"team"}"#, created: 0)]))
        #expect(keys.group(of: "a") == "team" && keys.group(of: "b") == nil)
        #expect(keys.group(of: "b", revoked: ["b": #"{"group":"old"}"#]) == "old")
        #expect(keys.group(of: "a", revoked: ["a": #"{"group":"old"}"#]) == "team", "it is there again")
        #expect(keys.group(of: "b", revoked: ["b": "{"]) == nil)
    }

    @Test func tableFollowsEveryChange() {
        var table = ManagedKeyTable([ManagedKey(name: "a", digest: digest("1"), created: 0)])
        #expect(table.count == 1 && table.contains("a") && !table.contains("b"))
        table.change("b", to: ManagedKey(name: "b", digest: digest("2"), created: 0))
        #expect(table.count == 2 && table[digest("2")]?.subject.name == "b" && table[digest("2")]?.end == .max)
        table.change(
            "b",
            to: ManagedKey(name: "b", digest: digest("2"), created: 0).rotated(to: digest("3"), until: 9, at: 1))
        #expect(table[digest("2")]?.end == 9 && table[digest("3")]?.end == .max && table.count == 2)
        table.change("b", to: nil)
        #expect(table.count == 1 && table[digest("2")] == nil && table[digest("3")] == nil && !table.contains("b"))
        table.change("c", to: nil)
        #expect(table.count == 1 && table[digest("1")] != nil)
    }
}
