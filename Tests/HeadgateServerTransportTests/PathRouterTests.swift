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
    func pathLeadsToTheRouteWhoseLiteralsComeFirst(target: String, expected: String) throws {
        let router = try router(
            (.get, "/users"), (.get, "/users/{id}"), (.get, "/users/me"), (.get, "/users/{owner}/posts"),
            (.get, "/users/{id}/posts/{post}"))
        #expect(found(router, .get, target) == expected)
    }

    @Test func methodsOfOnePathHaveTheirOwnNamesOfParameters() throws {
        let router = try router((.get, "/a/{b}"), (.delete, "/a/{c}"))
        #expect(found(router, .get, "/a/1") == "GET /a/{b} b=1")
        #expect(found(router, .delete, "/a/1") == "DELETE /a/{c} c=1")
        #expect(found(router, .head, "/a/1") == "GET /a/{b} b=1")
        #expect(found(router, .put, "/a/1") == "allowed GET, DELETE, HEAD")
    }

    @Test func rootIsAPath() throws {
        #expect(try found(router((.get, "/")), .get, "/?a") == "GET /")
    }

    @Test(arguments: [
        ("a", "a path begins with '/'"), ("/a{b}", "a parameter is a whole segment, such as '/{name}'"),
        ("/{}", "a parameter is a whole segment, such as '/{name}'"),
        ("/{a}/{a}", "two parameters are called 'a'"), ("/{x}", "there is a route for GET already"),
        ("/y", "there is a route for GET already"),
    ])
    func routeThatCannotBeIsRefused(path: String, reason: String) throws {
        var router = try router((.get, "/{y}"), (.get, "/y"))
        #expect(throws: LibeventServer.RouteError(path: path, reason: reason)) {
            try router.add("new", method: .get, path: path)
        }
    }
}
