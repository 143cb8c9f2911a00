import HTTPTypes
import HeadgateConfiguration
import HeadgateHTTP
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Errors with status 200 and without the member `error`, as each client receives them.
@Suite struct UnnamedErrorTests {
    typealias Plan = PlannedTransport.Plan

    static let errors = [
        #"{"object":"error","message":"W0RDS","type":"BadRequestError","param":null,"code":400}"#,
        #"{"detail":"W0RDS"}"#, #"{"code":1302,"message":"W0RDS","success":false}"#, #"{"error":"W0RDS"}"#,
        #"{"type":"error","message":"W0RDS"}"#, #"{"detail":[{"loc":["body"],"msg":"W0RDS"}]}"#,
        #"[{"error":{"code":400,"message":"W0RDS","status":"INVALID_ARGUMENT"}}]"#,
    ]

    /// Upstream of chat completions, Responses or Messages.
    enum Upstream: String, CaseIterable, Sendable {
        case chat, responses, messages

        var begun: [String] {
            switch self {
            case .chat: [Plan.role, Plan.content("some")]
            case .responses: [Typed.events(Typed.created, Typed.outputText("some", 2))]
            case .messages: [Typed.events(Typed.start, Typed.blockStart, Typed.text("some"))]
            }
        }

        func change(_ upstream: inout UpstreamConfiguration) {
            switch self {
            case .chat: upstream.speaks = [.chat]
            case .responses: upstream.speaks = [.responses]
            case .messages: upstream = UpstreamConfiguration(name: upstream.name, kind: .anthropic)
            }
        }
    }

    private static let paths = ["/v1/chat/completions", "/v1/responses", "/v1/messages"]

    private func ask(_ gateway: RoutedGateway, _ path: String, stream: Bool) async -> InProcessGateway.Response {
        let messages = #""max_tokens":9,"messages":[{"role":"user","content":"x"}]"#
        let input = path.hasSuffix("responses") ? #""store":false,"input":"x""# : messages
        return await gateway.running.ask(.post, path, body: #"{"model":"m","stream":\#(stream),\#(input)}"#)
    }

    private func gateway(_ plans: [[Plan]], _ upstream: Upstream) -> RoutedGateway {
        RoutedGateway(plans) { _, upstreams in
            for index in upstreams.indices { upstream.change(&upstreams[index]) }
        }
    }

    private func hasGoodEnd(_ text: String) -> Bool {
        ["[DONE]", "message_stop", "response.completed", #""finish_reason":"stop""#].contains { text.contains($0) }
    }

    @Test(arguments: errors, Upstream.allCases) func eachIsAnErrorWithItsMessage(_ error: String, _ upstream: Upstream)
        async
    {
        let event = "data: \(error)\n\n"
        for path in Self.paths {
            for isMarked in [false, true] {
                let end = isMarked ? [event, Plan.done] : [event]
                let first = await ask(
                    gateway([[Plan(headerFields: Plan.events, chunks: end)]], upstream), path, stream: true)
                #expect(first.status == 502 && first.text.contains("W0RDS"), "\(path): \(first.text)")
                let later = await ask(
                    gateway([[Plan(headerFields: Plan.events, chunks: upstream.begun + end)]], upstream), path,
                    stream: true)
                #expect(later.status == 200 && later.text.contains("some"), "\(path): \(later.text)")
                #expect(later.text.contains("W0RDS") && !hasGoodEnd(later.text), "\(path): \(later.text)")
            }
            for isStream in [false, true] {
                let whole = await ask(gateway([[.json(error)]], upstream), path, stream: isStream)
                #expect(whole.status == 502 && whole.text.contains("W0RDS"), "\(path): \(whole.text)")
            }
        }
    }

    @Test(arguments: errors, [false, true]) func nextTargetIsTriedBeforeContent(_ error: String, _ isStream: Bool) async
    {
        let plans: [Plan] =
            isStream
            ? [.json(error), .broken("data: \(error)\n\n", Plan.done), .broken(Plan.role, "data: \(error)\n\n")]
            : [.json(error)]
        for plan in plans {
            for path in Self.paths {
                let routed = gateway([[plan], [isStream ? .stream("Other") : .answer("Other")]], .chat)
                let answer = await ask(routed, path, stream: isStream)
                #expect(answer.status == 200 && answer.text.contains("Other") && routed.sent == [1, 1])
                #expect(!answer.text.contains("W0RDS"))
            }
        }
    }

    @Test(arguments: ["/v1/responses", "/v1/messages"]) func endMarkerWithoutContentIsNotAnEnd(_ path: String) async {
        for chunks in [[Plan.done], [Plan.role, Plan.done], [Plan.event(#"{"content":""}"#), Plan.done]] {
            let plan = Plan(headerFields: Plan.events, chunks: chunks)
            let alone = await ask(gateway([[plan]], .chat), path, stream: true)
            #expect(alone.text.contains("upstream_incomplete") || alone.text.contains("broke off"), "\(alone.text)")
            #expect(!hasGoodEnd(alone.text))
            let routed = gateway([[plan], [.stream("Other")]], .chat)
            #expect(await ask(routed, path, stream: true).text.contains("Other") && routed.sent == [1, 1])
        }
    }

    @Test(arguments: paths, ["error", "insufficient_system_resource", "network_error"])
    func reasonOfAFailureIsAnErrorForEveryClient(_ path: String, _ reason: String) async {
        let end = Plan.finish.replacing("stop", with: reason)
        let plan = Plan(headerFields: Plan.events, chunks: [Plan.role, Plan.content("some"), end, Plan.done])
        let broken = await ask(gateway([[plan]], .chat), path, stream: true)
        #expect(broken.text.contains("some") && broken.text.contains("with the reason '\(reason)'"), "\(broken.text)")
        #expect(!hasGoodEnd(broken.text))
        let whole = Plan.json(
            #"{"id":"c","choices":[{"index":0,"message":{"content":"some"},"finish_reason":"\#(reason)"}]}"#)
        for (plan, other, isStream) in [
            (whole, Plan.answer("Other"), false), (.broken(Plan.role, end), Plan.stream("Other"), true),
        ] {
            let routed = gateway([[plan], [other]], .chat)
            #expect(await ask(routed, path, stream: isStream).text.contains("Other") && routed.sent == [1, 1])
        }
    }
}
