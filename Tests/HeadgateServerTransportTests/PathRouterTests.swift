import HTTPTypes
import Testing

@testable import HeadgateServerTransport

@Suite struct PathRouterTests {
    private func router(_ routes: (HTTPRequest.Method, String)...) throws -> PathRouter<String> {
        var router = PathRouter<String>()
        for (method, path) in routes { try router.add("\(method) \(path)", method: method, path: path) }
        return router
    }

    private func found(_ router: PathRouter<String>, _ method: HTTPRequest.Method, _ target: String) -> String {
        switch Array(target.utf8).withUnsafeBytes({ router.match(method, $0) }) {
        case .route(let name, let parameters):
            ([name] + parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }).joined(separator: " ")
        case .methodNotAllowed(let allowed): "allowed \(allowed)"
        case .notFound: "none"
        }
    }

    @Test(arguments: [
        ("/users", "GET /users"), ("/users?a=/b", "GET /users"), ("/users/", "none"), ("/", "none"), ("", "none"),
        ("*", "none"), ("/users/7", "GET /users/{id} id=7"), ("/users/a%2Fb?c", "GET /users/{id} id=a%2Fb"),
        ("/users/me", "GET /users/me"), ("/users//posts", "none"), ("/users/7/posts/", "none"),
        ("/users/7/posts", "GET /users/{owner}/posts owner=7"),
        ("/users/me/posts", "GET /users/{owner}/posts owner=me"),
        ("/users/7/posts/8", "GET /users/{id}/posts/{post} id=7 post=8"), ("/users/7/posts/8/9", "none"),
    ])
    func pathMatchesTheRouteWithTheEarliestLiterals(target: String, expected: String) throws {
        let router = try router(
            (.get, "/users"), (.get, "/users/{id}"), (.get, "/users/me"), (.get, "/users/{owner}/posts"),
            (.get, "/users/{id}/posts/{post}"))
        #expect(found(router, .get, target) == expected)
    }

    @Test func methodsOfOnePathHaveSeparateParameterNames() throws {
        let router = try router((.get, "/a/{b}"), (.delete, "/a/{c}"))
        #expect(found(router, .get, "/a/1") == "GET /a/{b} b=1")
        #expect(found(router, .delete, "/a/1") == "DELETE /a/{c} c=1")
        #expect(found(router, .head, "/a/1") == "GET /a/{b} b=1")
        #expect(found(router, .put, "/a/1") == "allowed GET, DELETE, HEAD")
    }

    @Test(arguments: [
        ("/a/7.json", "GET /a/{id}.json id=7"), ("/a/7.x.json", "GET /a/{id}.{form}.json form=x id=7"),
        ("/a/7.tar.gz", "GET /a/{id}.{form} form=tar.gz id=7"), ("/a/.json", "GET /a/{any} any=.json"),
        ("/a/me.json", "GET /a/me.json"), ("/a/7", "GET /a/{any} any=7"), ("/a/7.json/b", "GET /a/{id}.json/b id=7"),
        ("/a/x7.json/c", "none"), ("/a/7.", "GET /a/{any} any=7."),
    ])
    func parametersMayBePartsOfASegment(target: String, expected: String) throws {
        let router = try router(
            (.get, "/a/{any}"), (.get, "/a/{id}.{form}"), (.get, "/a/{id}.json"), (.get, "/a/{id}.{form}.json"),
            (.get, "/a/me.json"), (.get, "/a/{id}.json/b"), (.put, "/a/{name}.json"))
        #expect(found(router, .get, target) == expected)
        #expect(found(router, .put, "/a/7.json") == "PUT /a/{name}.json name=7")
    }

    /// Trying every position of every dash would take minutes.
    @Test func longSegmentIsMatchedInOnePass() throws {
        let router = try router((.get, "/tiles/{z}-{x}-{y}.png"))
        let dashes = String(repeating: "-", count: 8000)
        #expect(found(router, .get, "/tiles/\(dashes)") == "none")
        #expect(found(router, .get, "/tiles/1-2-\(dashes).png").hasSuffix("x=2 y=\(dashes) z=1"))
    }

    @Test func rootIsAPath() throws {
        #expect(try found(router((.get, "/")), .get, "/?a") == "GET /")
    }

    private static let noParameter = "a parameter has a name in braces, and there is a text between two of them"

    @Test(arguments: [
        ("a", "a path begins with '/'"), ("/{b", Self.noParameter), ("/b}", Self.noParameter),
        ("/{}", Self.noParameter), ("/{a}{b}", Self.noParameter), ("/{a{b}}", Self.noParameter),
        ("/{a}.{a}", "two parameters are called 'a'"),
        ("/{a}/{a}", "two parameters are called 'a'"), ("/{x}", "there is a route for GET already"),
        ("/y", "there is a route for GET already"),
    ])
    func invalidRouteIsRefused(path: String, reason: String) throws {
        var router = try router((.get, "/{y}"), (.get, "/y"))
        #expect(throws: LibeventServer.RouteError(path: path, reason: reason)) {
            try router.add("new", method: .get, path: path)
        }
    }
}
