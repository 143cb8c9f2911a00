import HTTPTypes
import HeadgateConfiguration
import HeadgateHTTP
import HeadgateStores
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// `/v1/admin/keys` for admins and others.
@Suite struct KeyRoutesTests {
    private static let path = "/v1/admin/keys"

    @Test func aKeyIsCreatedShownOnceAndAcceptedAtOnce() async {
        let gateway = ManagedGateway()
        let made = await gateway.running.ask(
            .post, Self.path, body: #"{"name":"laptop","models":["plain"],"limits":{"requests":"2/m"}}"#)
        let key = made.member("key") ?? ""
        #expect(made.status == 201 && key.hasPrefix("hg-") && key.utf8.count == 46)
        #expect(made.headerFields[.cacheControl] == "no-store")
        #expect(
            made.text
                == #"{"name":"laptop","managed":true,"admin":false,"models":["plain"],"#
                + #""created":"2027-01-15T08:00:00.000Z","expires":null,"is_expired":false,"former_until":null,"limits":{"requests":"2/m"},"key":"\#(key)"}"#
        )
        #expect(await gateway.running.chat(key: key).status == 200)
        #expect(await gateway.running.chat(model: "other", key: key).status == 403)
        let shown = await gateway.running.ask(.get, "\(Self.path)/laptop")
        #expect(shown.status == 200 && !shown.text.contains("hg-") && shown.member("name") == "laptop")
        let log = gateway.running.log.all.joined()
        #expect(!log.contains(key) && log.contains("laptop"))
    }

    @Test func strictBudgetNeedsALedger() async {
        let gateway = ManagedGateway()
        let body = #"{"name":"a","budget":{"tokens":9,"every":"day","strict":true}}"#
        let refused = await gateway.running.ask(.post, Self.path, body: body)
        #expect(refused.status == 400 && refused.member("param") == "budget")
        #expect(refused.member("message")?.hasPrefix("budget: strict: true needs a ledger") == true)
        // This key was created while there was a ledger.
        gateway.store.add(
            ManagedKey(
                name: "b", digest: KeyDigest(of: "b".utf8),
                settings: #"{"budget":{"tokens":9,"every":"day","strict":true}}"#, created: 0)
        ) { _ in }
        for path in [Self.path, "\(Self.path)/b"] {
            #expect(await gateway.running.ask(.get, path).text.contains(#""problem":"budget: strict: true needs"#))
        }
    }

    @Test(arguments: [
        (#"{"name":"a","limits":{"in_flight":1,"in_flight":9}}"#, "limits.in_flight"),
        (#"{"name":"a","budget":{"usd":1,"every":"day","usd":9}}"#, "budget.usd"),
        (#"{"name":"a","models":["x"],"models":["*"]}"#, "models"),
    ])
    func duplicateMemberIsRefused(_ body: String, _ place: String) async {
        let refused = await ManagedGateway().running.ask(.post, Self.path, body: body)
        #expect(refused.status == 400 && refused.member("param") == place, "\(refused)")
    }

    @Test func limitsOfManagedKeysAndTheirGroupsApply() async {
        let gateway = ManagedGateway(groups: ["team"])
        let limited = await gateway.add(#"{"name":"a","limits":{"requests":"1/m"}}"#)
        #expect(await gateway.running.chat(key: limited).status == 200)
        let refused = await gateway.running.chat(key: limited)
        #expect(refused.status == 429 && refused.text.contains("The limit of the key 'a' is reached"))
        let (first, second) = (
            await gateway.add(#"{"name":"b","group":"team"}"#), await gateway.add(#"{"name":"c","group":"team"}"#)
        )
        #expect(await gateway.running.chat(key: first).status == 200)
        #expect(await gateway.running.chat(key: second).status == 200)
        #expect(await gateway.running.chat(key: first).status == 429)
    }

    @Test func aKeyReportsItsBudgetUse() async {
        let gateway = ManagedGateway()
        let key = await gateway.add(#"{"name":"a","budget":{"tokens":"5M","every":"day"}}"#)
        func shown() async -> String { await gateway.running.ask(.get, "\(Self.path)/a").text }
        let (start, end) = (
            #""budget_use":{"unit":"tokens","every":"day","amount":5000000,"#, #""until":"2027-01-16T00:00:00.000Z"}"#
        )
        let unused = await shown()
        #expect(unused.contains(start + end), "\(unused)")
        #expect(await gateway.running.chat(key: key).status == 200)
        let used = await shown()
        // The upstream reports no usage, so the reserve is charged.
        #expect(used.contains(start + #""used":41"#) && used.contains(end), "\(used)")
        #expect(await gateway.running.ask(.get, Self.path).text.contains(start + #""used":41"#))
    }

    @Test func groupsOfManagedKeysAreShownWithTheirBudgets() async {
        let budget = BudgetConfiguration(.tokens(5_000_000), every: .day)
        let gateway = ManagedGateway(groups: ["team"], groupBudget: budget)
        let key = await gateway.add(#"{"name":"a","group":"team"}"#)
        #expect(await gateway.running.chat(key: key).status == 200)
        let status = await gateway.running.ask(.get, "/status/data").text
        #expect(
            status.contains(#"{"kind":"group","name":"team","unit":"tokens","every":"day","amount":5000000,"used":41"#))
    }

    @Test func aRevokedKeyIsRefusedFromThenOn() async {
        let gateway = ManagedGateway()
        let key = await gateway.add(#"{"name":"laptop"}"#)
        #expect(await gateway.running.chat(key: key).status == 200)
        let revoked = await gateway.running.ask(.delete, "\(Self.path)/laptop")
        #expect(revoked.status == 200 && revoked.text == #"{"name":"laptop","revoked":true}"#)
        #expect(await gateway.running.chat(key: key).status == 401)
        let again = await gateway.running.ask(.delete, "\(Self.path)/laptop")
        #expect(again.status == 404 && again.isError(code: "key_not_found"))
        #expect(await gateway.running.ask(.get, "\(Self.path)/laptop").status == 404)
    }

    @Test func aRotatedKeyIsAcceptedOnlyDuringItsGrace() async {
        let gateway = ManagedGateway()
        let first = await gateway.add(#"{"name":"laptop","models":["plain"]}"#)
        let rotated = await gateway.running.ask(.post, "\(Self.path)/laptop/rotate", body: #"{"grace":"1h"}"#)
        let second = rotated.member("key") ?? ""
        #expect(rotated.status == 200 && second != first)
        #expect(rotated.member("former_until") == "2027-01-15T09:00:01.000Z")
        #expect(await gateway.running.chat(key: first).status == 200)
        #expect(await gateway.running.chat(model: "other", key: second).status == 403)
        #expect(await gateway.running.chat(key: second).status == 200)
        let last = await gateway.running.ask(.post, "\(Self.path)/laptop/rotate", body: "{}")
        #expect(last.text.contains(#""former_until":null"#))
        for old in [first, second] { #expect(await gateway.running.chat(key: old).status == 401) }
        #expect(await gateway.running.chat(key: last.member("key")).status == 200)
    }

    @Test func listHasTheKeysOfTheConfigurationAndPagesOfTheOthers() async {
        let gateway = ManagedGateway()
        for name in ["c", "a", "b"] { _ = await gateway.add(#"{"name":"\#(name)"}"#) }
        func names(_ query: String) async -> [Substring] {
            let text = await gateway.running.ask(.get, Self.path + query).text
            return text.split(separator: #"{"name":""#).dropFirst().map { $0.prefix { $0 != "\"" } }
        }
        #expect(await names("") == ["test", "limited", "past", "a", "b", "c"])
        #expect(await names("?limit=2") == ["test", "limited", "past", "a", "b"])
        #expect(await gateway.running.ask(.get, Self.path + "?limit=2").text.hasSuffix(#""has_more":true}"#))
        #expect(await names("?limit=2&after=b") == ["c"])
        #expect(await gateway.running.ask(.get, Self.path + "?after=b").text.hasSuffix(#""has_more":false}"#))
        let wrong = await gateway.running.ask(.get, Self.path + "?limit=0")
        #expect(wrong.status == 400 && wrong.text.contains(#""param":"limit""#))
        let text = await gateway.running.ask(.get, Self.path).text
        #expect(text.contains(#""name":"past","managed":false,"admin":false,"models":["*"],"created":null"#))
        #expect(text.contains(#""is_expired":true"#) && !text.contains("hg-") && !text.contains("sha256"))
    }

    @Test(
        arguments: [
            ("{", "invalid_json", nil), ("[]", "invalid_json", nil), ("{}", "missing_member", "name"),
            (#"{"name":5}"#, "invalid_value", "name"), (#"{"name":""}"#, "invalid_value", "name"),
            (#"{"name":"a b"}"#, "invalid_value", "name"), (#"{"name":"../x"}"#, "invalid_value", "name"),
            (#"{"name":"keyless"}"#, "invalid_value", "name"), (#"{"name":"a","nome":"b"}"#, "invalid_value", "nome"),
            (#"{"name":"a","name":"b"}"#, "invalid_value", "name"),
            (#"{"name":"a","sha256":"00"}"#, "invalid_value", "sha256"),
            (#"{"name":"a","models":[]}"#, "invalid_value", "models"),
            (#"{"name":"a","models":"plain"}"#, "invalid_value", "models"),
            (#"{"name":"a","models":["a*b"]}"#, "invalid_value", "models"),
            (#"{"name":"a","admin":"true"}"#, "invalid_value", "admin"),
            (#"{"name":"a","expires":"soon"}"#, "invalid_value", "expires"),
            (#"{"name":"a","expires":"2020-01-01"}"#, "invalid_value", "expires"),
            (#"{"name":"generated"}"#, "invalid_value", "name"),
            (#"{"name":"a","limits":{}}"#, "invalid_value", "limits"),
            (#"{"name":"a","limits":{"in_flight":"8"}}"#, "invalid_value", "limits.in_flight"),
            (#"{"name":"a","limits":{"requests":"${HOME}"}}"#, "invalid_value", "limits"),
            (#"{"name":"a","limits":{"requests":60}}"#, "invalid_value", "limits"),
            (#"{"name":"a","budget":{"usd":20}}"#, "invalid_value", "budget"),
            (#"{"name":"a","budget":{"usd":0.5,"every":"day"}}"#, "invalid_value", "budget.usd"),
            (#"{"name":"a","group":"nobody"}"#, "invalid_value", "group"),
        ] as [(String, String, String?)])
    func mistakesAreNamed(_ body: String, _ code: String, _ parameter: String?) async {
        let gateway = ManagedGateway()
        let response = await gateway.running.ask(.post, Self.path, body: body)
        #expect(response.status == 400 && response.isError(code: code), "\(response.text)")
        #expect(response.text.contains("\"param\":" + (parameter.map { "\"\($0)\"" } ?? "null")), "\(response.text)")
        #expect(gateway.keys.isEmpty)
    }

    @Test func namesAreUniqueOverTheConfigurationToo() async {
        let gateway = ManagedGateway()
        _ = await gateway.add(#"{"name":"laptop"}"#)
        for name in ["laptop", "test"] {
            let taken = await gateway.running.ask(.post, Self.path, body: #"{"name":"\#(name)"}"#)
            #expect(taken.status == 409 && taken.isError(code: "key_exists"))
        }
        for (method, path, body) in [
            (HTTPRequest.Method.delete, "/test", nil), (.post, "/test/rotate", "{}"),
        ] as [(HTTPRequest.Method, String, String?)] {
            let kept = await gateway.running.ask(method, Self.path + path, body: body)
            #expect(kept.status == 409 && kept.isError(code: "key_in_configuration"))
        }
    }

    @Test func onlyAdminsManageKeysAndOtherBodiesAreNotRead() async {
        let gateway = ManagedGateway()
        let plain = await gateway.add(#"{"name":"plain-key"}"#)
        let admin = await gateway.add(#"{"name":"admin-key","admin":true}"#)
        for key in [plain, InProcessGateway.limitedKey] {
            for (method, path, body) in [
                (HTTPRequest.Method.get, "", nil), (.post, "", "{"), (.get, "/plain-key", nil),
                (.delete, "/plain-key", nil), (.post, "/plain-key/rotate", "{"),
            ] as [(HTTPRequest.Method, String, String?)] {
                let response = await gateway.running.ask(method, Self.path + path, key: key, body: body)
                #expect(response.status == 403 && response.isError(code: "admin_key_needed"))
            }
        }
        #expect(await gateway.running.ask(.get, Self.path, key: "hg-wrong").status == 401)
        #expect(await gateway.running.ask(.get, Self.path, key: nil).status == 401)
        #expect(await gateway.running.ask(.delete, Self.path + "/plain-key", key: admin).status == 200)
    }

    /// Otherwise the first caller would lock out all others.
    @Test func keylessGatewayLetsOnlyItsOwnUserCreateKeys() async {
        let gateway = ManagedGateway(keys: [])
        #expect(await gateway.running.ask(.get, Self.path, key: nil).status == 200)
        let refused = await gateway.running.ask(.post, Self.path, key: nil, body: #"{"name":"a","admin":true}"#)
        #expect(refused.status == 403 && refused.isError(code: "keyless_gateway"))
        let foreign = await gateway.running.ask(
            .post, Self.path, key: nil, body: #"{"name":"a"}"#, admission: .admitted(as: "anyone", isOwner: false))
        #expect(foreign.status == 403)
        let own = await gateway.running.ask(
            .post, Self.path, key: nil, body: #"{"name":"a"}"#, admission: .admitted(as: "uid-1", isOwner: true))
        #expect(own.status == 201)
    }

    @Test func withoutADataFolderOnlyConfiguredKeysExist() async {
        let gateway = InProcessGateway()
        #expect(await gateway.ask(.get, Self.path).text.contains(#""name":"test""#))
        #expect(await gateway.ask(.get, Self.path + "/test").status == 200)
        let refused = await gateway.ask(.post, Self.path, body: #"{"name":"a"}"#)
        #expect(refused.status == 404 && refused.isError(code: "keys_off"))
        #expect(await gateway.ask(.delete, Self.path + "/a").status == 404)
        #expect(await gateway.ask(.delete, Self.path + "/test").status == 409)
    }
}
