import HTTPTypes
import HeadgateConfiguration
import HeadgateHTTP
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// `/v1/admin/pairings` and `/v1/pairings/{code}`: one code makes one key for one device.
@Suite struct PairingTests {
    private static let path = "/v1/admin/pairings"
    private static let phone = #"{"name":"phone","models":["plain"],"budget":{"usd":1,"every":"day"}}"#

    private func redeem(_ code: String, at gateway: ManagedGateway) async -> InProcessGateway.Response {
        await gateway.running.ask(.post, "/v1/pairings/\(code)", key: nil)
    }

    @Test func codeCreatesOneKeyOnce() async {
        let gateway = ManagedGateway()
        let made = await gateway.running.ask(.post, Self.path, body: Self.phone)
        let code = made.member("code") ?? ""
        #expect(made.status == 201 && code.utf8.count == 22 && made.member("expires") == "2027-01-15T08:05:00.000Z")
        // Nothing exists until the code is used.
        #expect(await gateway.running.ask(.get, "/v1/admin/keys/phone").status == 404)
        let key = await redeem(code, at: gateway)
        #expect(key.status == 201 && key.member("name") == "phone" && key.headerFields[.cacheControl] == "no-store")
        #expect(await gateway.running.chat(key: key.member("key") ?? "").status == 200)
        #expect(await gateway.running.chat(model: "other", key: key.member("key") ?? "").status == 403)
        let again = await redeem(code, at: gateway)
        #expect(again.status == 404 && again.isError(code: "pairing_unknown"))
        #expect(!gateway.running.log.all.joined().contains(code))
    }

    @Test func codeThatMadeNoKeyStaysValid() async {
        let gateway = ManagedGateway()
        let code = await gateway.running.ask(.post, Self.path, body: Self.phone).member("code") ?? ""
        _ = await gateway.add(#"{"name":"phone"}"#)
        #expect(await redeem(code, at: gateway).status == 409)
        #expect(await gateway.running.ask(.delete, "/v1/admin/keys/phone").status == 200)
        #expect(await redeem(code, at: gateway).status == 201)
        #expect(await redeem(code, at: gateway).status == 404)
    }

    @Test(arguments: [false, true])
    func codeStaysValidIfTheStoreFails(_ afterAddition: Bool) async {
        let gateway = ManagedGateway(failures: [afterAddition])
        let code = await gateway.running.ask(.post, Self.path, body: Self.phone).member("code") ?? ""
        let failed = await redeem(code, at: gateway)
        #expect(failed.status == 503 && failed.isError(code: "keys_unavailable"))
        // A key that no one has received would occupy the name.
        #expect(await gateway.running.ask(.get, "/v1/admin/keys/phone").status == 404)
        #expect(await redeem(code, at: gateway).status == 201)
    }

    @Test func codeStaysValidIfThePhoneLeavesBeforeItsKeyArrives() async {
        let gateway = ManagedGateway(isServed: false)
        let code = await gateway.running.ask(.post, Self.path, body: Self.phone).member("code") ?? ""
        let metadata = LoopMetadata(clock: ManualClock())
        let head = RequestHead(
            HTTPRequest(
                method: .post, scheme: "http", authority: "127.0.0.1:8686", path: "/v1/pairings/\(code)",
                headerFields: [:]))
        gateway.running.gateway.respond(to: head, body: nil, metadata: metadata) { _ in }
        // The key exists, and the request waits until the gateway accepts it.
        #expect(await gateway.running.ask(.get, "/v1/admin/keys/phone").status == 200)
        metadata.work?.cancel()
        metadata.work = nil
        #expect(await gateway.running.ask(.get, "/v1/admin/keys/phone").status == 404)
        gateway.keys.areServed = true
        #expect(await redeem(code, at: gateway).status == 201)
    }

    @Test func onlyAdminsCreateCodes() async {
        let gateway = ManagedGateway()
        #expect(await gateway.running.ask(.post, Self.path, key: nil, body: Self.phone).status == 401)
        let limited = await gateway.running.ask(.post, Self.path, key: InProcessGateway.limitedKey, body: Self.phone)
        #expect(limited.status == 403)
        let wrong = await gateway.running.ask(.post, Self.path, body: #"{"name":"phone","models":7}"#)
        #expect(wrong.status == 400 && wrong.member("param") == "models")
        let guessed = await redeem("AAAAAAAAAAAAAAAAAAAAAA", at: gateway)
        #expect(guessed.status == 404 && guessed.isError(code: "pairing_unknown"))
    }

    @Test func codesExpireAndAreFew() throws {
        var codes = PairingCodes()
        let settings = KeySettings("{}")
        func pairing(_ end: Int64) -> PairingCodes.Pairing { .init(name: "a", settings: settings, end: end) }
        for number in 0..<16 {
            let isAdded = codes.add(pairing(300), code: "\(number)", at: 0)
            #expect(isAdded)
        }
        let isTooMany = !codes.add(pairing(300), code: "more", at: 299)
        #expect(isTooMany)
        let late = codes.take("1", at: 300)
        #expect(late == nil)
        let intime = codes.take("2", at: 299)
        #expect(intime?.name == "a")
        // Expired codes make room.
        let isAdded = codes.add(pairing(600), code: "more", at: 300)
        #expect(isAdded)
        let expired = codes.take("3", at: 300)
        #expect(expired == nil)
    }
}
