import Testing

@testable import HeadgateCassettes

@Suite struct RequestIdentityTests {
    private func identity(
        _ body: String?, method: String = "POST", route: String = "/chat/completions", ignoring: Set<String> = []
    ) -> RequestIdentity {
        RequestIdentity(method: method, route: route, body: body.map { Array($0.utf8) }, ignoring: ignoring)
    }

    @Test(arguments: [
        #"{"b":[1,{"d":2,"c":3}],"a":"x/y"}"#, #" { "a" : "x\/y" , "b" : [ 1 , { "c":3, "d":2 } ] } "#,
        #"{"a":"\u0078/y","b":[1,{"c":3,"d":2}]}"#,
    ])
    func orderWhiteSpaceAndEscapesMakeNoDifference(_ body: String) {
        #expect(identity(body).bytes == identity(#"{"a":"x/y","b":[1,{"c":3,"d":2}]}"#).bytes)
    }

    @Test(arguments: [
        #"{"a":"x","b":[2,1]}"#, #"{"a":"x","b":[1,"2"]}"#, #"{"a":"x","b":[1,2],"c":null}"#, #"{"a":"X","b":[1,2]}"#,
        #"{"a":"x","b":[1,2.0]}"#, #"["a","x"]"#, "", #"{"a":"x","b":[1,2]"#,
    ])
    func identityDependsOnTheDocumentsContent(_ body: String) {
        #expect(identity(body).bytes != identity(#"{"a":"x","b":[1,2]}"#).bytes)
    }

    @Test func membersCanBeIgnored() {
        let ignored: Set<String> = ["user", "metadata"]
        let plain = identity(#"{"a":1}"#, ignoring: ignored)
        #expect(identity(#"{"user":"u","a":1,"metadata":{"x":1}}"#, ignoring: ignored) == plain)
        // Only members of the document itself are ignored, and not those of nested objects.
        #expect(identity(#"{"a":{"user":1}}"#, ignoring: ignored) != identity(#"{"a":{}}"#, ignoring: ignored))
    }

    @Test func methodRouteAndOtherBodiesMakeADifference() {
        let plain = identity("{}")
        #expect(identity("{}", method: "PUT") != plain && identity("{}", route: "/completions") != plain)
        #expect(identity(nil).bytes != identity("text").bytes)
        #expect(identity("[1, 2]").bytes != identity("[1,2]").bytes)
    }

    @Test func boundaryOfAFormMakesNoDifference() {
        func form(_ boundary: String, _ text: String) -> RequestIdentity {
            let part = "--\(boundary)\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n\(text)\r\n"
            return RequestIdentity(
                method: "POST", route: "/files", body: Array((part + "--\(boundary)--\r\n").utf8),
                contentType: "multipart/form-data; boundary=\(boundary)")
        }
        #expect(form("one", "x") == form("another", "x") && form("one", "x") != form("one", "y"))
    }

    @Test func differencesAreNamed() {
        let one = identity(#"{"model":"m","messages":[1],"n":1}"#)
        #expect(
            one.differences(from: identity(#"{"n":1,"messages":[2],"seed":7,"model":"m"}"#)) == ["messages", "seed"])
        #expect(one.differences(from: one).isEmpty)
    }

    @Test func modelIsReadFromABody() {
        #expect(RequestIdentity.model(of: Array(#"{"messages":[],"model":"gpt\u002d5"}"#.utf8)) == "gpt-5")
        #expect(RequestIdentity.model(of: Array(#"{"model":5}"#.utf8)) == nil)
        #expect(RequestIdentity.model(of: [0xFF]) == nil)
    }
}
