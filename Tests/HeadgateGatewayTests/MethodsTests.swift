import HTTPTypes
import HeadgateHTTP
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Methods of every route that is served.
@Suite struct MethodsTests {
    private static let all: [HTTPRequest.Method] = [.get, .head, .post, .put, .patch, .delete, .trace, .options]

    private func path(_ template: String) -> String {
        template.replacing("{model}", with: "plain").replacing("{response_id}", with: "resp_1")
            .replacing("/web/{asset}", with: "/web/chat.js").replacing("{asset}", with: "start.js")
    }

    @Test func wrongMethodGetsTheRoutesMethods() async throws {
        let gateway = DialectGateway()
        let routes = Dictionary(grouping: gateway.running.gateway.routes, by: { path($0.path) })
        #expect(routes.count > 20)
        for (path, routes) in routes {
            var allowed = Set(routes.map(\.method) + ["OPTIONS"])
            if allowed.contains("GET") { allowed.insert("HEAD") }
            for prefix in path.hasPrefix("/v1/") ? ["", "-"] : [""] {
                let path = prefix.isEmpty ? path : String(path.dropFirst(3))
                for method in MethodsTests.all where !allowed.contains(method.rawValue) {
                    let answer = await gateway.running.ask(method, path, key: nil)
                    #expect(answer.status == 405, "\(method) \(path)")
                    let allow = try #require(answer.headerFields[.allow])
                    #expect(Set(allow.split(separator: ",").map { String($0.drop { $0 == " " }) }) == allowed)
                    #expect(answer.headerFields[.contentType] == "application/json")
                }
                let options = await gateway.running.ask(.options, path, key: nil)
                #expect(options.status == 204 && options.headerFields[.allow] != nil, "\(path)")
            }
        }
        #expect(gateway.sent.isEmpty)
    }

    @Test func headIsAGetEverywhere() async {
        let gateway = DialectGateway(.json(#"{"id":"r"}"#), metrics: CountedRequests())
        for route in gateway.running.gateway.routes where route.method == "GET" {
            let path = path(route.path)
            let get = await gateway.running.ask(.get, path)
            let head = await gateway.running.ask(.head, path)
            // This gateway stores no conversations, streams, usage, keys or content of requests.
            let absent = ["/v1/streams", "/v1/usage", "/v1/admin/keys/", "/v1/admin/requests/"]
            let isKept = !absent.contains { path.hasPrefix($0) }
            let status = path.hasPrefix("/v1/conversations") ? 400 : isKept ? 200 : 404
            #expect(get.status == status && head.status == status, "\(path)")
            #expect(get.headerFields[.contentType] == head.headerFields[.contentType])
        }
        #expect(gateway.sent.allSatisfy { $0.head.method == .get })
    }

    @Test(arguments: ["/v1/usage/", "/v1//status/data", "/docs/", "/v1/v1/usage", "/nothing"])
    func invalidPathIsUnknown(_ path: String) async {
        for method in MethodsTests.all {
            #expect(await DialectGateway().running.ask(method, path).status == 404, "\(method)")
        }
    }
}
