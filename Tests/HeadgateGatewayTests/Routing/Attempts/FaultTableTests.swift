import HTTPTypes
import HeadgateConfiguration
import HeadgateFaults
import HeadgateHTTP
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Every fault of an upstream, with another target left and without: the attempts, and the client's bytes.
@Suite struct FaultTableTests {
    typealias Plan = PlannedTransport.Plan

    struct Fault: Sendable, CustomTestStringConvertible {
        let name: String
        let plan: Plan
        /// Status of the response to the client when no target is left, and its code.
        let status: Int
        let code: String
        /// Whether another target is tried.
        var isTriedElsewhere = true

        var testDescription: String { name }
    }

    static let error = #"{"error":{"message":"no","type":"server_error"}}"#

    /// Faults before the first content of a stream.
    static let beforeContent: [Fault] = [
        Fault(name: "connection refused", plan: .failing(.connect), status: 502, code: "upstream_connect"),
        Fault(name: "no route", plan: .failing(.unreachable), status: 502, code: "upstream_connect"),
        Fault(name: "connect timeout", plan: .failing(.connectTimeout), status: 502, code: "upstream_connect"),
        Fault(name: "TLS", plan: .failing(.tls, "expired"), status: 502, code: "upstream_tls"),
        Fault(name: "first byte timeout", plan: .failing(.responseTimeout), status: 504, code: "upstream_timeout"),
        Fault(name: "closed", plan: .failing(.closedBeforeResponse), status: 502, code: "upstream_disconnected"),
        Fault(name: "not HTTP", plan: .failing(.protocolViolation), status: 502, code: "upstream_protocol"),
        Fault(name: "starting", plan: .failing(.notReady, "It starts"), status: 503, code: "upstream_starting"),
        Fault(name: "busy", plan: .failing(.busy, "It works"), status: 503, code: "upstream_busy"),
        Fault(name: "no key", plan: .failing(.noKey, "It failed"), status: 503, code: "upstream_no_key"),
        Fault(name: "301", plan: .json("", status: 301), status: 502, code: "upstream_redirect"),
        Fault(name: "400", plan: .json(error, status: 400), status: 400, code: "null", isTriedElsewhere: false),
        Fault(name: "401", plan: .json(error, status: 401), status: 502, code: "upstream_auth"),
        Fault(name: "403", plan: .json(error, status: 403), status: 403, code: "null"),
        Fault(name: "404", plan: .json(error, status: 404), status: 404, code: "null"),
        Fault(name: "408", plan: .json(error, status: 408), status: 408, code: "null"),
        Fault(name: "413", plan: .json(error, status: 413), status: 413, code: "null", isTriedElsewhere: false),
        Fault(name: "422", plan: .json(error, status: 422), status: 422, code: "null", isTriedElsewhere: false),
        Fault(name: "429", plan: .json(error, status: 429), status: 429, code: "null"),
        Fault(name: "500", plan: .json(error, status: 500), status: 500, code: "null"),
        Fault(name: "503", plan: .json("", status: 503), status: 503, code: "upstream_error"),
        Fault(name: "529", plan: .json(error, status: 529), status: 529, code: "null"),
        Fault(
            name: "no credit", plan: .json(#"{"error":{"message":"m","code":"insufficient_quota"}}"#, status: 429),
            status: 429, code: "\"insufficient_quota\""),
        Fault(name: "error document", plan: .json(error), status: 502, code: "null"),
        Fault(name: "error event", plan: .broken("data: \(error)\n\n"), status: 502, code: "null"),
        Fault(name: "document", plan: .answer("x"), status: 502, code: "upstream_not_streaming"),
        Fault(
            name: "page", plan: Plan(headerFields: [.contentType: "text/html"], chunks: ["<html>log in</html>"]),
            status: 502, code: "upstream_content_type"),
        Fault(name: "nothing", plan: .broken(end: .success(())), status: 502, code: "upstream_incomplete"),
        Fault(name: "reset at once", plan: .broken(), status: 502, code: "upstream_incomplete"),
        Fault(
            name: "silence at once", plan: .broken(end: .failure(TransportError(.silenceTimeout))), status: 504,
            code: "upstream_timeout"),
        Fault(
            name: "half an event", plan: .broken("data: {\"choi", end: .success(())), status: 502,
            code: "upstream_incomplete"),
        Fault(name: "not JSON", plan: .broken("data: {]\n\n"), status: 502, code: "upstream_invalid_json"),
    ]

    /// Faults after the head and the role, which the client of the last attempt has received.
    static let afterRole: [Fault] = [
        Fault(name: "reset", plan: .broken(Plan.role), status: 200, code: "upstream_incomplete"),
        Fault(name: "end", plan: .broken(Plan.role, end: .success(())), status: 200, code: "upstream_incomplete"),
        Fault(
            name: "silence", plan: .broken(Plan.role, end: .failure(TransportError(.silenceTimeout))), status: 200,
            code: "upstream_timeout"),
        Fault(name: "error event", plan: .broken(Plan.role, "data: \(error)\n\n"), status: 200, code: "null"),
        Fault(name: "not JSON", plan: .broken(Plan.role, "data: {]\n\n"), status: 200, code: "upstream_invalid_json"),
        Fault(
            name: "broken encoding", plan: .broken(Plan.role, end: .failure(TransportError(.encoding, "bad"))),
            status: 200, code: "upstream_encoding"),
    ]

    /// Faults after content, which are never retried.
    static let afterContent: [Fault] = [
        Fault(name: "reset", plan: .broken(Plan.role, Plan.content("A")), status: 200, code: "upstream_incomplete"),
        Fault(
            name: "end", plan: .broken(Plan.role, Plan.content("A"), end: .success(())), status: 200,
            code: "upstream_incomplete"),
        Fault(
            name: "silence",
            plan: .broken(Plan.role, Plan.content("A"), end: .failure(TransportError(.silenceTimeout))), status: 200,
            code: "upstream_timeout"),
        Fault(
            name: "error event", plan: .broken(Plan.role, Plan.content("A"), "data: \(error)\n\n"), status: 200,
            code: "null"),
        Fault(
            name: "not JSON", plan: .broken(Plan.role, Plan.content("A"), "data: {]\n\n"), status: 200,
            code: "upstream_invalid_json"),
    ]

    static let good = Plan.stream("B", "C")
    static let goodText = Plan.role + Plan.content("B") + Plan.content("C") + Plan.finish + Plan.done

    private func holdsCode(_ text: String, _ code: String) -> Bool {
        let literal = code == "null" || code.hasPrefix("\"") ? code : "\"\(code)\""
        return text.contains("\"code\":\(literal)")
    }

    @Test(arguments: beforeContent + afterRole)
    func faultBeforeContentIsHiddenWhileATargetIsLeft(_ fault: Fault) async {
        let gateway = RoutedGateway([[fault.plan], [Self.good]])
        let answer = await gateway.chat()
        guard fault.isTriedElsewhere else {
            #expect(gateway.sent == [1, 0])
            #expect(answer.status == fault.status && holdsCode(answer.text, fault.code), "\(answer.text)")
            return
        }
        #expect(gateway.sent == [1, 1])
        #expect(answer.status == 200)
        #expect(answer.text == Self.goodText)
        #expect(answer.bodyEnds == ["complete"])
        #expect(answer.headerFields[.xHeadgateUpstream] == "b")
        let attempts = gateway.running.log.all.last ?? ""
        #expect(attempts.contains(#""attempts":[{"upstream":"a","error":""#), "\(attempts)")
    }

    @Test(arguments: beforeContent)
    func faultBeforeContentIsTheAnswerOfTheLastTarget(_ fault: Fault) async {
        let gateway = RoutedGateway([[fault.plan]])
        let answer = await gateway.chat()
        #expect(gateway.sent == [1])
        #expect(answer.status == fault.status)
        #expect(holdsCode(answer.text, fault.code), "\(answer.text)")
        #expect(answer.headerFields[.contentType] == "application/json")
    }

    @Test(arguments: afterRole)
    func lastTargetIsRelayedAtOnce(_ fault: Fault) async {
        for gateway in [RoutedGateway([[fault.plan]]), RoutedGateway([[.failing(.connect)], [fault.plan]])] {
            let answer = await gateway.chat()
            #expect(answer.status == 200)
            #expect(answer.text.hasPrefix(Plan.role + "data: {\"error\":{"), "\(answer.text)")
            #expect(holdsCode(answer.text, fault.code), "\(answer.text)")
            #expect(!answer.text.contains("[DONE]"))
            #expect(answer.bodyEnds == ["completeThenClose"])
        }
    }

    @Test(arguments: afterContent)
    func afterContentNoOtherTargetIsTried(_ fault: Fault) async {
        for plans in [[[fault.plan]], [[fault.plan], [Self.good]]] {
            let gateway = RoutedGateway(plans)
            let answer = await gateway.chat()
            #expect(gateway.sent.reduce(0, +) == 1)
            #expect(answer.status == 200)
            #expect(answer.text.hasPrefix(Plan.role + Plan.content("A") + "data: {\"error\":{"), "\(answer.text)")
            #expect(holdsCode(answer.text, fault.code), "\(answer.text)")
            #expect(!answer.text.contains("[DONE]"))
        }
    }

    @Test func emptyStreamFallsBack() async {
        let empty = Plan.broken(Plan.done, end: .success(()))
        let two = RoutedGateway([[empty], [Self.good]])
        #expect(await two.chat().text == Self.goodText)
        let one = RoutedGateway([[empty]])
        #expect(await one.chat().text == Plan.done)
    }

    @Test func responseWithoutContentIsAResponse() async {
        let gateway = RoutedGateway([[.stream()], [Self.good]])
        #expect(await gateway.chat().text == Plan.role + Plan.finish + Plan.done)
        #expect(gateway.sent == [1, 0])
    }

    @Test(arguments: [
        Plan.failing(.connect), .failing(.responseTimeout), .json(error, status: 500), .json(error),
        Plan(chunks: [#"{"id":"#], end: .failure(TransportError(.truncatedBody))), .json("no JSON"),
        .json(error, status: 429), .json(error, status: 401),
    ])
    func wholeResponseFallsBackUntilItsLastByte(_ plan: Plan) async {
        let gateway = RoutedGateway([[plan], [.answer("B")]])
        let answer = await gateway.chat(stream: false)
        #expect(answer.status == 200)
        #expect(answer.text == Plan.answer("B").chunks[0])
        #expect(gateway.sent == [1, 1])
        #expect(answer.headerFields[.xHeadgateAttempts] == "2")
    }
}
