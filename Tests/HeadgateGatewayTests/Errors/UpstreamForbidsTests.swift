import HTTPTypes
import HeadgateTesting
import Testing

/// An upstream's 403 is about the request (region, moderation, project), and is relayed to the caller.
@Suite struct UpstreamForbidsTests {
    private static let words =
        #"{"error":{"message":"Country not supported, sk-real-upstream-key","type":"request_forbidden","code":"unsupported_country_region_territory"}}"#

    @Test(arguments: RelayRoute.all) func refusalPassesWithItsRedactedMessage(_ route: RelayRoute) async throws {
        let gateway = DialectGateway(.json(Self.words, status: 403))
        let answer = await gateway.post("/v1\(route.path)", route.body)
        #expect(answer.status == 403)
        #expect(answer.text.contains("Country not supported, [redacted]"))
        if route.isAnthropic {
            #expect(answer.text.contains(#""type":"permission_error""#))
        } else {
            #expect(answer.isError(code: "unsupported_country_region_territory"))
        }
        let line = try gateway.running.log.members()
        #expect(line["status"] == "403" && line["upstream_status"] == "403" && line["outcome"] == "upstream_failed")
    }

    @Test(arguments: RelayRoute.all) func refusalWithoutAMessageIsAPermissionError(_ route: RelayRoute) async {
        let answer = await DialectGateway(.json("<html>WAF</html>", status: 403)).post("/v1\(route.path)", route.body)
        #expect(answer.status == 403 && answer.text.contains(#""type":"permission_error""#))
        #expect(answer.text.contains("answered with status 403") && !answer.text.contains("WAF"))
    }

    @Test(arguments: RelayRoute.all) func refusedKeyIsHiddenFromTheClient(_ route: RelayRoute) async {
        let answer = await DialectGateway(.json(Self.words, status: 401)).post("/v1\(route.path)", route.body)
        #expect(answer.status == 502 && answer.text.contains("does not accept the gateway's key"))
    }

    @Test func storedResponseIsSearchedElsewhere() async {
        let gateway = DialectGateway(
            .json(#"{"id":"resp_1","object":"response","status":"completed"}"#), openAI: .json(Self.words, status: 403))
        let answer = await gateway.running.ask(.get, "/v1/responses/resp_1")
        #expect(answer.status == 200)
    }
}
