import Foundation
import HTTPTypes
import HeadgateHTTP
import Testing

@testable import HeadgateOpenAPI

/// Documents that are decoded and encoded by generated types unchanged. The types are those of `21-composed.yaml`.
@Suite struct RoundTripTests {
    private func again<Value: Codable & Hashable & JSONWritable>(_ type: Value.Type, _ text: String) throws -> Value {
        let value = try JSONDecoder().decode(type, from: Data(text.utf8))
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let encoded = try encoder.encode(value)
        #expect(String(decoding: encoded, as: UTF8.self) == text)
        #expect(try JSONDecoder().decode(type, from: encoded) == value)
        var json = JSONText()
        try value.write(to: &json)
        #expect(String(decoding: json.bytes, as: UTF8.self) == text)
        return value
    }

    @Test func objectsAreJoined() throws {
        let dog = try again(Components.Schemas.Dog.self, #"{"barks":true,"kind":"dog","name":"Rex"}"#)
        #expect(dog == .init(name: "Rex", barks: true))
        _ = try again(Components.Schemas.Cat.self, #"{"kind":"cat","lives":9}"#)
        #expect(throws: DecodingError.self) {
            _ = try JSONDecoder().decode(Components.Schemas.Dog.self, from: Data(#"{"barks":true,"kind":"dog"}"#.utf8))
        }
    }

    @Test func discriminatorSelectsTheType() throws {
        let dog = try again(Components.Schemas.Pet.self, #"{"barks":true,"kind":"dog","name":"Rex"}"#)
        #expect(dog == .dog(.init(name: "Rex", barks: true)))
        for kind in ["cat", "kitten"] {
            let cat = try again(Components.Schemas.Pet.self, #"{"kind":"\#(kind)","lives":9}"#)
            #expect(cat == .cat(.init(kind: kind, lives: 9)))
        }
        // The document matches the members of the other kinds as well.
        let fish = try again(Components.Schemas.Pet.self, #"{"kind":"Fish"}"#)
        #expect(fish == .fish(.init(kind: "Fish")))
    }

    @Test(arguments: [#"{"kind":"bird"}"#, #"{"lives":9}"#, #"{"kind":"Cat","lives":9}"#, #"{"kind":"dog"}"#])
    func unknownOrWrongKindIsRefused(_ text: String) {
        #expect(throws: DecodingError.self) {
            _ = try JSONDecoder().decode(Components.Schemas.Pet.self, from: Data(text.utf8))
        }
    }

    @Test(arguments: [
        (#"{"email":"a@b"}"#, true, false), (#"{"phone":"1"}"#, false, true),
        (#"{"email":"a@b","phone":"1","verified":true}"#, true, true),
    ])
    func anyOfKeepsAllThatFit(_ text: String, _ hasEmail: Bool, _ hasPhone: Bool) throws {
        let contact = try again(Components.Schemas.Contact.self, text)
        #expect((contact.value1 != nil) == hasEmail && (contact.value2 != nil) == hasPhone)
        #expect(throws: DecodingError.self) {
            _ = try JSONDecoder().decode(Components.Schemas.Contact.self, from: Data("{}".utf8))
        }
    }

    @Test func valuesOfSeveralTypes() throws {
        let error = try again(
            Components.Schemas.ValidationError.self, #"{"input":{"a":1},"where":["body",3,"name"]}"#)
        #expect(error.where == [.case1("body"), .case2(3), .case1("name")])
        #expect(error.hint == nil)
        _ = try again(Components.Schemas.ValidationError.self, #"{"hint":"h","input":["a","b"],"where":[]}"#)
        _ = try again(
            Components.Schemas.ValidationError.self, #"{"contact":{"phone":"1"},"input":true,"where":[]}"#)
    }

    @Test func schemasCanBeRecursive() throws {
        let text =
            #"{"byName":{"a":{"name":"a"}},"children":[{"children":[],"name":"b"}],"name":"root","#
            + #""next":{"name":"n","next":{"name":"m"}},"parent":{"length":2,"tree":{"name":"p"}}}"#
        var tree = try again(Components.Schemas.Tree.self, text)
        #expect(tree.next?.next?.name == "m" && tree.parent?.tree?.name == "p")
        tree.next?.name = "other"
        #expect(tree.next?.name == "other" && tree.next?.next?.name == "m")
        let sum = try again(
            Components.Schemas.Expression.self, #"{"left":{"negated":1},"right":{"left":2,"right":3.5}}"#)
        #expect(
            sum
                == .sum(
                    .init(
                        left: .negation(.init(negated: .case3(1))),
                        right: .sum(.init(left: .case3(2), right: .case3(3.5))))))
        _ = try again(Components.Schemas.Either.self, #"{"a":{"b":1,"either":{"b":2}}}"#)
    }

    /// Decodes and encodes a value as a body, because the dates of bodies are not those of a `JSONDecoder` without
    /// settings.
    private func asBody<Value: Codable & Hashable & JSONWritable>(_ type: Value.Type, _ text: String) throws -> Value {
        let value: Value = try JSONBody.decode(Array(text.utf8))
        #expect(String(decoding: try JSONBody.write(value), as: UTF8.self) == text)
        #expect(String(decoding: try JSONBody.encode(value), as: UTF8.self) == text)
        return value
    }

    @Test func unnamedMembersArePreserved() throws {
        let text =
            #"{"any":{"a":[1,null,"b"]},"at":"2024-05-01T12:00:00Z","data":"AQI=","id":"x","more":[true],"z":null}"#
        let open = try asBody(Components.Schemas.Open.self, text)
        #expect(open.at == Date(timeIntervalSince1970: 1_714_564_800) && open.data?.data == [1, 2])
        #expect(open.additionalProperties == ["more": [true], "z": nil] && open.any == ["a": [1, nil, "b"]])
        let empty = try asBody(Components.Schemas.Open.self, #"{"any":null,"id":"x"}"#)
        #expect(empty.any == nil && empty.additionalProperties == [:])
        let counts = try asBody(Components.Schemas.Alias.self, #"{"a":1,"b":2,"name":"c"}"#)
        #expect(counts == .init(name: "c", additionalProperties: ["a": 1, "b": 2]))
        #expect(throws: DecodingError.self) {
            _ = try JSONBody.decode(Array(#"{"a":"text"}"#.utf8)) as Components.Schemas.Counts
        }
    }

    @Test func choicesOfDatesNumbersAndObjects() throws {
        let moment = try asBody(Components.Schemas.Moment.self, #""2024-05-01T12:00:00.500Z""#)
        #expect(moment == .case1(Date(timeIntervalSince1970: 1_714_564_800.5)))
        #expect(try asBody(Components.Schemas.Moment.self, "2") == .case2(._2))
        #expect(try asBody(Components.Schemas.Moment.self, #"{"a":{}}"#) == .case3(["a": [:]]))
        #expect(throws: DecodingError.self) { _ = try JSONBody.decode(Array("3".utf8)) as Components.Schemas.Moment }
    }

    @Test func partsThatAreNotOneObjectAreCombined() throws {
        let both = try asBody(Components.Schemas.Both.self, #"{"b":1,"email":"a@b"}"#)
        #expect(both == .init(value1: .init(email: "a@b"), value2: .other(.init(b: 1))))
        #expect(throws: DecodingError.self) {
            _ = try JSONBody.decode(Array(#"{"email":"a@b"}"#.utf8)) as Components.Schemas.Both
        }
    }
}

/// A generated server reads messages written by a generated client, and the reverse.
@Suite struct MessageRoundTripTests {
    private typealias AllWays = Operations.AllWays

    private func received(_ outgoing: OutgoingRequest) -> IncomingRequest {
        MessageRoundTripTests.received(outgoing.request, outgoing.body)
    }

    static func received(_ request: HTTPRequest, _ body: HTTPBody?) -> IncomingRequest {
        let ends = ConnectionEnds(localAddress: "127.0.0.1", localPort: 1, remoteAddress: "127.0.0.1")
        let metadata = ServerRequestMetadata(connection: ends, bodyLength: .fixed(0), context: NoContext())
        let path = request.path ?? ""
        metadata.pathParameters = ["ids": String(path.dropFirst("/ways/".count).prefix { $0 != "?" })]
        return IncomingRequest(request, body, metadata)
    }

    @Test(arguments: [
        (Operations.AllWays.Input.Body.applicationVndOddJson(.init(b: 1)), "application/vnd.odd+json; v=1"),
        (.urlEncodedForm(.init(kind: "a&b", depth: 1.5)), "application/x-www-form-urlencoded"),
    ])
    func requestIsReadAsItIsWritten(body: Operations.AllWays.Input.Body, type: String) async throws {
        let input = AllWays.Input(
            path: .init(ids: [1, 2]),
            query: .init(other: .init(b: 3), since: Date(timeIntervalSince1970: 0), tags: [.a, .b]),
            headers: .init(xMap: ["x": 1]), cookies: .init(session: "s; t"), body: body)
        let outgoing = try input.encoded()
        #expect(
            outgoing.request.path
                == "/ways/1,2?other%5Bb%5D=3&since=1970-01-01T00%3A00%3A00Z&tags=a,b")
        #expect(outgoing.request.headerFields[.contentType] == type)
        let read = try await AllWays.Input(decoding: received(outgoing))
        #expect(read == input)
    }

    @Test func requestOfAnotherMediaTypeIsRefused() async throws {
        var outgoing = OutgoingRequest(AllWays.operation)
        outgoing.path("ids", 1)
        outgoing.cookie("session", "s")
        outgoing.bytes("text", contentType: "text/plain")
        let request = received(outgoing)
        let expected = RequestViolation.contentType(
            expected: "application/vnd.odd+json, application/x-www-form-urlencoded")
        await #expect(throws: expected) { _ = try await AllWays.Input(decoding: request) }
    }

    private func answered(_ output: AllWays.Output) async throws -> (AllWays.Output, String?) {
        let (response, body) = try output.encoded()
        let read = try await AllWays.Output(decoding: IncomingResponse(response, body))
        return (read, response.headerFields[.contentType])
    }

    @Test func responseIsReadAsItIsWritten() async throws {
        let (json, type) = try await answered(.ok(.init(body: .json(.init(b: 2)))))
        #expect(try json.ok.body.json.b == 2 && type == "application/json; charset=utf-8")
        let (problem, other) = try await answered(.ok(.init(body: .applicationProblemJson(.init(email: "a@b")))))
        #expect(try problem.ok.body.applicationProblemJson.email == "a@b" && other == "application/problem+json")
        let (wrong, _) = try await answered(.clientError(statusCode: 418, .init(body: .json(.init(kind: "x")))))
        #expect(try wrong.clientError.body.json.kind == "x" && wrong.statusCode == 418)
        #expect(throws: UnexpectedResponse.status(418, expected: "ok")) { _ = try wrong.ok }
        let (down, _) = try await answered(.default(statusCode: 503, .init()))
        guard case .default(statusCode: 503, _) = down else { return #expect(Bool(false), "\(down)") }
    }
}

private final class NoContext: RequestContext {
    let requestID = ""

    func decide(_: RequestEnd) {}
    func complete(_: RequestEnd, bytesReceived _: Int, bytesSent _: Int, maximumQueuedBytes _: Int) {}
}
