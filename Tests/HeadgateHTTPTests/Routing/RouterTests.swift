import HTTPTypes
import HeadgateHTTP
import Testing

@Suite struct RouterTests {
    private static let handler = RequestHandler.immediate { _, _ in ServerResponse(HTTPResponse(status: .ok), nil) }

    private let router = Router([
        Route(operationID: "list", method: .get, template: "/v1/models", handler: handler),
        Route(operationID: "get", method: .get, template: "/v1/models/{model}", handler: handler),
        Route(operationID: "delete", method: .delete, template: "/v1/models/{model}", handler: handler),
        Route(operationID: "chat", method: .post, template: "/v1/chat/completions", handler: handler),
    ])

    private func match(_ method: HTTPRequest.Method, _ path: String, in router: Router) -> Router.Match {
        Array(path.utf8).withUnsafeBytes { router.match(method, $0) }
    }

    private func describe(_ match: Router.Match) -> String {
        switch match {
        case .route(let route): "\(route.operationID) []"
        case .parameter(let route, let name, let value): "\(route.operationID) [\"\(name)=\(value)\"]"
        case .parameters(let route, let values):
            "\(route.operationID) \(values.sorted { $0.key < $1.key }.map { "\($0)=\($1)" })"
        case .methodNotAllowed(let allowed): "405 \(allowed)"
        case .options(let allowed): "204 \(allowed)"
        case .notFound: "404"
        case .unknownMethod: "501"
        }
    }

    @Test(arguments: [
        ("GET", "/v1/models", "list []"), ("GET", "/v1/models?limit=1", "list []"), ("GET", "/v1/models?", "list []"),
        ("HEAD", "/v1/models", "list []"),
        ("POST", "/v1/chat/completions?a?b", "chat []"), ("GET", "/v1/models/a", "get [\"model=a\"]"),
        ("DELETE", "/v1/models/a", "delete [\"model=a\"]"),
        ("HEAD", "/v1/models/a", "get [\"model=a\"]"), ("GET", "/v1/models/org/a?b", "get [\"model=org/a\"]"),
    ])
    func pathFindsItsOperation(_ method: String, _ path: String, _ expected: String) throws {
        #expect(describe(match(try #require(HTTPRequest.Method(method)), path, in: router)) == expected)
    }

    @Test(arguments: [
        ("/v1/jobs/a/lines/1", "line [\"job=a\", \"line=1\"]"),
        ("/v1/jobs/a/lines/lines", "line [\"job=a\", \"line=lines\"]"),
        ("/v1/jobs/lines/lines/1", "line [\"job=lines\", \"line=1\"]"),
        ("/v1/jobs/a/lines/1?b/c", "line [\"job=a\", \"line=1\"]"), ("/v1/jobs/a/lines", "lines [\"job=a\"]"),
        ("/v1/jobs/a", "job [\"job=a\"]"), ("/v1/jobs/a/lines/", "job [\"job=a/lines/\"]"),
        ("/v1/jobs/a/lines/1/2", "job [\"job=a/lines/1/2\"]"), ("/v1/jobs/a/b/lines/1", "job [\"job=a/b/lines/1\"]"),
        ("/v1/jobs//lines/1", "job [\"job=/lines/1\"]"),
    ])
    func twoParametersAreOneSegmentEach(_ path: String, _ expected: String) {
        let router = Router([
            Route(operationID: "job", method: .get, template: "/v1/jobs/{job}", handler: Self.handler),
            Route(operationID: "lines", method: .get, template: "/v1/jobs/{job}/lines", handler: Self.handler),
            Route(operationID: "line", method: .get, template: "/v1/jobs/{job}/lines/{line}", handler: Self.handler),
        ])
        #expect(describe(match(.get, path, in: router)) == expected)
    }

    /// Nothing is decoded or normalized, so no two spellings of a path are the same.
    @Test(arguments: [
        "/", "", "/v1/models/", "/V1/models", "/v1//models", "/v1/./models", "/v1/chat/../models", "/v1/%6dodels",
        "/v1%2Fmodels", "/v1/modelsx", "/v1/model",
        "//v1/models", "/v1/models;a", "/v1/models%3Fa", "/v1/models%00", "v1/models", "/v1/chat/completions/",
        "/v1/models/?a", "?/v1/models",
    ])
    func otherSpellingOfAPathIsNotFound(_ path: String) {
        #expect(describe(match(.get, path, in: router)) == "404")
    }

    @Test(arguments: ["a%2Fb", "..", "../..", "a/../b", "%00", "%zz", "%2e%2e", "{model}", "a//b", "/"])
    func parameterIsPassedOnRaw(_ value: String) {
        #expect(describe(match(.get, "/v1/models/\(value)", in: router)) == "get [\"model=\(value)\"]")
    }

    @Test func otherKnownMethodIsNotAllowed() {
        #expect(describe(match(.post, "/v1/models", in: router)) == "405 GET, HEAD, OPTIONS")
        #expect(describe(match(.get, "/v1/chat/completions", in: router)) == "405 POST, OPTIONS")
        #expect(describe(match(.head, "/v1/chat/completions", in: router)) == "405 POST, OPTIONS")
        #expect(describe(match(.patch, "/v1/models/a", in: router)) == "405 GET, DELETE, HEAD, OPTIONS")
        #expect(describe(match(.put, "/nowhere", in: router)) == "404")
    }

    @Test func optionsAreAnsweredForPathsThatExist() {
        #expect(describe(match(.options, "/v1/chat/completions", in: router)) == "204 POST, OPTIONS")
        #expect(describe(match(.options, "/v1/models/a", in: router)) == "204 GET, DELETE, HEAD, OPTIONS")
        #expect(describe(match(.options, "*", in: router)) == "204 GET, HEAD, POST, OPTIONS")
        #expect(describe(match(.options, "/nowhere", in: router)) == "404")
    }

    @Test(arguments: ["CONNECT", "BREW", "get", "Post", "PROPFIND"])
    func unknownMethodIsNotImplementedOnAnyPath(_ method: String) throws {
        let method = try #require(HTTPRequest.Method(method))
        #expect(describe(match(method, "/v1/models", in: router)) == "501")
        #expect(describe(match(method, "/nowhere", in: router)) == "501")
    }

    @Test func routeWithItsOwnOptionsIsFound() {
        let router = Router([Route(operationID: "o", method: .options, template: "/a", handler: RouterTests.handler)])
        #expect(describe(match(.options, "/a", in: router)) == "o []")
    }

    @Test func exactTemplatePrecedesAParameter() {
        let router = Router([
            Route(operationID: "parameter", method: .get, template: "/a/{b}", handler: RouterTests.handler),
            Route(operationID: "exact", method: .get, template: "/a/b", handler: RouterTests.handler),
        ])
        #expect(describe(match(.get, "/a/b", in: router)) == "exact []")
        #expect(describe(match(.get, "/a/c", in: router)) == "parameter [\"b=c\"]")
    }
}
