import HTTPTypes
import HeadgateCoding
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Members read from each kind of request, and the refusal of nonsensical requests.
@Suite struct RequestShapeTests {
    private let big = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)

    private func expectRefusal(
        _ body: String, on route: RelayRoute, naming places: [String], status: Int = 400,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let gateway = DialectGateway()
        for prefix in ["/v1", ""] {
            let answer = await gateway.post(prefix + route.path, body)
            #expect(answer.status == status, "\(answer.text)", sourceLocation: sourceLocation)
            let shape =
                route.isAnthropic ? #"{"type":"error","error":{"type":"invalid_request_error","# : #"{"error":{"#
            #expect(answer.text.hasPrefix(shape), "\(answer.text)", sourceLocation: sourceLocation)
            for place in places {
                #expect(answer.text.contains(place), "\(place): \(answer.text)", sourceLocation: sourceLocation)
            }
        }
        #expect(gateway.sent.isEmpty, sourceLocation: sourceLocation)
    }

    @Test(arguments: RelayRoute.all) func requestIsAcceptedOnItsRoute(_ route: RelayRoute) async throws {
        let gateway = DialectGateway(
            openAI: .json("{}", headerFields: route.path == "/audio/speech" ? [.contentType: "audio/mpeg"] : [:]))
        for prefix in ["/v1", ""] {
            #expect(await gateway.post(prefix + route.path, route.body).status == 200)
        }
        #expect(await gateway.post("/v1\(route.path)?beta=true", route.body).status == 200)
        #expect(gateway.sent.map(\.body) == [route.body, route.body, route.body])
        #expect(Set(gateway.sent.map(\.head.path)) == ["/v1" + route.path])
    }

    @Test(arguments: RelayRoute.all) func malformedBodyIsRefusedWithItsPlace(_ route: RelayRoute) async {
        await expectRefusal("", on: route, naming: ["byte 0"])
        await expectRefusal(#"{"model":"plain","#, on: route, naming: ["byte 17"])
        await expectRefusal(#"{"model":"plain" "x":1}"#, on: route, naming: ["byte 17"])
        await expectRefusal(#"{"x":nul}"#, on: route, naming: ["byte 8"])
        await expectRefusal("[]", on: route, naming: ["byte 0"])
        await expectRefusal(#""text""#, on: route, naming: ["byte 0"])
        await expectRefusal(route.body + "{}", on: route, naming: ["byte \(route.body.utf8.count)"])
    }

    @Test(arguments: RelayRoute.all) func deepNestingIsRefusedWithItsPlace(_ route: RelayRoute) async {
        await expectRefusal(String(route.body.dropLast()) + #","x":\#(big)}"#, on: route, naming: ["byte "])
    }

    @Test(arguments: RelayRoute.all) func modelMustBeThereAsAString(_ route: RelayRoute) async {
        let rest = route.rest.dropFirst()
        await expectRefusal("{\(rest)}", on: route, naming: ["'model'"])
        for wrong in ["7", "null", "[\"plain\"]", "{}", "true", #""""#] {
            await expectRefusal(#"{"model":\#(wrong),\#(rest)}"#, on: route, naming: ["'model'"])
        }
        let long = String(repeating: "m", count: 513)
        await expectRefusal(#"{"model":"\#(long)",\#(rest)}"#, on: route, naming: ["'model'"])
        await expectRefusal(
            #"{"model":"plain","mod\u0065l":"plain",\#(rest)}"#, on: route, naming: ["'model'", "byte "])
    }

    @Test(arguments: RelayRoute.all.filter { $0.rest.contains("messages") })
    func messagesMustBeThereAsAnArray(_ route: RelayRoute) async {
        await expectRefusal(#"{"model":"\#(route.model)"}"#, on: route, naming: ["'messages'"])
        for wrong in ["7", "null", "\"hi\"", "{}"] {
            await expectRefusal(
                #"{"model":"\#(route.model)","messages":\#(wrong)}"#, on: route, naming: ["'messages'"])
        }
        await expectRefusal(
            #"{"model":"\#(route.model)","messages":[],"messages":[]}"#, on: route, naming: ["'messages'"])
    }

    @Test(
        arguments: RelayRoute.all.filter {
            ["/chat/completions", "/completions", "/responses", "/messages", "/images/generations"].contains($0.path)
        })
    func streamMustBeABoolean(_ route: RelayRoute) async {
        let open = route.body.dropLast()
        for wrong in ["1", "\"true\"", "[]", "{}"] {
            await expectRefusal(open + #","stream":\#(wrong)}"#, on: route, naming: ["'stream'"])
        }
        await expectRefusal(open + #","stream":false,"stream":false}"#, on: route, naming: ["'stream'"])
    }

    @Test(arguments: RelayRoute.all.filter { ["/chat/completions", "/completions"].contains($0.path) })
    func numberOfChoicesIsChecked(_ route: RelayRoute) async {
        let open = route.body.dropLast()
        for wrong in ["0", "129", "-1", "1.5", "\"2\"", "true"] {
            await expectRefusal(open + #","n":\#(wrong)}"#, on: route, naming: ["'n'"])
        }
        await expectRefusal(open + #","stream_options":5}"#, on: route, naming: ["'stream_options'"])
    }

    @Test func streamIsRefusedOnRoutesWithoutStreams() async {
        let image = RelayRoute.all[4]
        await expectRefusal(image.body.dropLast() + #","stream":true}"#, on: image, naming: ["'stream'"])
        let speech = RelayRoute.all[5]
        for wrong in ["\"sse\"", "7", "\"AUDIO\"", "[]"] {
            await expectRefusal(
                speech.body.dropLast() + #","stream_format":\#(wrong)}"#, on: speech, naming: ["'stream_format'"])
        }
    }

    @Test func streamFalseIsAcceptedOnRoutesWithoutStreams() async {
        let gateway = DialectGateway(openAI: .json("{}", headerFields: [.contentType: "audio/mpeg"]))
        for extra in [#","stream":false"#, #","stream":null"#] {
            #expect(await gateway.post("/v1/images/generations", #"{"model":"plain"\#(extra)}"#).status == 200)
        }
        for extra in [#","stream_format":"audio""#, #","stream_format":null"#, #","stream":true"#] {
            #expect(await gateway.post("/v1/audio/speech", #"{"model":"plain"\#(extra)}"#).status == 200)
        }
    }

    @Test func unknownMemberIsLeftToTheUpstream() async {
        let gateway = DialectGateway()
        let body = #"{"model":"plain","stream":"yes","n":"many","messages":7,"stream_options":[]}"#
        for path in ["/v1/embeddings", "/v1/moderations"] {
            #expect(await gateway.post(path, body).status == 200)
        }
        #expect(gateway.sent.map(\.body) == [body, body])
    }

    @Test(arguments: RelayRoute.all) func contentTypeIsRequiredOnlyOfPages(_ route: RelayRoute) async {
        let gateway = DialectGateway()
        let form: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
        _ = await gateway.post("/v1" + route.path, route.body, headerFields: form)
        #expect(gateway.sent.count == 1)
        var page = form
        for name in ["Referer", "Sec-Fetch-Mode"].compactMap({ HTTPField.Name($0) }) {
            page = form
            page[name] = "cors"
            #expect(await gateway.post("/v1" + route.path, route.body, headerFields: page).status == 415)
        }
        #expect(gateway.sent.count == 1)
    }

    @Test(arguments: RelayRoute.all) func bodyAboveTheLimitAndOtherTypesAreRefused(_ route: RelayRoute) async {
        let gateway = DialectGateway(bodyLimit: 50)
        let large = await gateway.post("/v1" + route.path, String(repeating: " ", count: 51))
        #expect(large.status == 413)
        for type in ["text/plain", "multipart/form-data", ""] {
            let other = await gateway.post("/v1" + route.path, "{}", headerFields: [.contentType: type])
            #expect(other.status == 415 && other.text.contains("application/json"))
        }
        let packed = await gateway.post("/v1" + route.path, "{}", headerFields: [.contentEncoding: "br"])
        #expect(packed.status == 415 && packed.headerFields[.acceptEncoding] == "gzip, deflate, zstd")
        let malformed = await gateway.post("/v1" + route.path, "{}", headerFields: [.contentEncoding: "gzip"])
        #expect(malformed.status == 400 && malformed.text.contains("Content-Encoding"))
        for answer in [large, packed, malformed] {
            #expect(answer.text.contains(#""type":"error""#) == route.isAnthropic)
        }
        #expect(gateway.sent.isEmpty)
    }

    @Test(arguments: RelayRoute.all) func compressedBodyIsReadWithinTheLimit(_ route: RelayRoute) async throws {
        let body = route.body + String(repeating: " ", count: 1000)
        let coded = try #require(Gzip.encoded(Array(body.utf8)))
        for (limit, status) in [(body.utf8.count, 200), (body.utf8.count - 1, 413)] {
            let gateway = DialectGateway(
                openAI: .json("{}", headerFields: route.path == "/audio/speech" ? [.contentType: "audio/mpeg"] : [:]),
                bodyLimit: limit)
            let answer = await gateway.running.ask(
                .post, "/v1" + route.path, headerFields: [.contentEncoding: "gzip"], bytes: coded)
            #expect(answer.status == status, "\(answer.text)")
            #expect(gateway.sent.map(\.body) == (status == 200 ? [body] : []))
        }
    }

    @Test(arguments: [
        ("countMessageTokens", true), ("countResponseTokens", true), ("createConversation", false),
        ("createTranscription", false), ("createMessage", false),
    ])
    func onlyTwoOperationsCountTokens(_ id: String, _ counts: Bool) {
        #expect(RelayOperation.countsTokens(id) == counts)
    }
}
