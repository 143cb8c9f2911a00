import HTTPTypes
import HeadgateConfiguration
import HeadgateGateway
import HeadgateHTTP
import HeadgateRelay
import HeadgateTesting
import Testing

/// Parameters of requests for the on-device model; any other is refused by name, and never ignored.
@Suite struct OnDeviceRulesTests {
    private struct Device {
        let transport: PlannedTransport
        let running: InProcessGateway

        init(
            _ plan: PlannedTransport.Plan = .json("{}"), kind: UpstreamKind = .onDevice, takesTools: Bool? = false
        ) {
            transport = PlannedTransport(plan)
            let transport = transport
            let definition = UpstreamDefinition(
                UpstreamConfiguration(name: "device", kind: kind),
                baseURL: BaseURL(endpoint: .unix(path: "/run/llama.sock"), pathPrefix: "/v1"),
                credentials: [Secret(InProcessGateway.upstreamKey)], takesTools: { takesTools },
                transport: { _ in transport })
            running = InProcessGateway(
                transport: transport, upstreams: [definition],
                models: [ModelConfiguration(name: "smollm2", upstream: "device")], keys: InProcessGateway.keys,
                bodyLimit: 4 << 20)
        }

        func post(_ path: String, _ members: String) async -> InProcessGateway.Response {
            await running.ask(.post, "/v1" + path, body: #"{"model":"smollm2",\#(members)}"#)
        }
    }

    private static let tools = #""tools":[{"type":"function","function":{"name":"f"}}],"tool_choice":"required""#

    @Test func toolsReachAModelThatCanCallThem() async {
        let device = Device(takesTools: true)
        let answer = await device.post("/chat/completions", #""messages":[],\#(Self.tools)"#)
        #expect(answer.status == 200 && device.transport.requests.count == 1, "\(answer.text)")
        let other = await device.post("/chat/completions", #""messages":[],"audio":{"voice":"alloy"}"#)
        #expect(other.isError(code: "unsupported_parameter"))
    }

    /// A model that cannot call tools would ignore them.
    @Test func onlyRequestsWithToolsAreRefusedUntilTheModelIsReady() async {
        let device = Device(takesTools: nil)
        let answer = await device.post("/chat/completions", #""messages":[],\#(Self.tools)"#)
        #expect(answer.status == 503 && answer.isError(code: "upstream_starting"), "\(answer.text)")
        #expect(answer.headerFields[.retryAfter] == "2" && device.transport.requests.isEmpty)
        #expect(await device.post("/chat/completions", #""messages":[],"tools":[]"#).status == 200)
        let other = await device.post("/chat/completions", #""messages":[],\#(Self.tools),"audio":{"voice":"alloy"}"#)
        #expect(other.isError(code: "unsupported_parameter"))
    }

    private static let route = [
        "chat": ("/chat/completions", #""messages":[]"#), "completion": ("/completions", #""prompt":"Once""#),
        "response": ("/responses", #""input":"Hello""#),
    ]

    @Test(arguments: [
        ("chat", "tools", #"[{"type":"function","function":{"name":"f"}}]"#), ("chat", "tool_choice", #""required""#),
        ("chat", "tool_choice", #"{"type":"function","function":{"name":"f"}}"#),
        ("chat", "functions", #"[{"name":"f"}]"#), ("chat", "function_call", #"{"name":"f"}"#),
        ("chat", "modalities", #"["text","audio"]"#), ("chat", "audio", #"{"voice":"alloy"}"#),
        ("chat", "web_search_options", "{}"),
        ("completion", "suffix", #""end""#), ("completion", "echo", "true"), ("completion", "best_of", "2"),
        ("completion", "logprobs", "0"),
        ("response", "tools", #"[{"type":"web_search"}]"#), ("response", "tool_choice", #""required""#),
        ("response", "text", #"{"format":{"type":"json_object"}}"#), ("response", "top_logprobs", "2"),
        ("response", "store", "true"), ("response", "background", "true"),
        ("response", "previous_response_id", #""resp_1""#), ("response", "conversation", #""conv_1""#),
        ("response", "prompt", #"{"id":"pmpt_1"}"#),
    ])
    func unsupportedParametersAreRefusedByName(_ shape: String, _ name: String, _ value: String) async throws {
        let (path, rest) = try #require(OnDeviceRulesTests.route[shape])
        let device = Device()
        let answer = await device.post(path, #"\#(rest),"\#(name)":\#(value),"seed":1"#)
        #expect(answer.status == 400 && answer.isError(code: "unsupported_parameter"), "\(answer.text)")
        #expect(answer.text.contains(#""param":"\#(name)""#) && answer.text.contains("'\(name)'"))
        #expect(device.transport.requests.isEmpty, "nothing is sent")
        let line = try device.running.log.members()
        #expect(line["outcome"] == "refused" && line["error"] == "unsupported_parameter")
    }

    @Test(arguments: [
        (
            "/chat/completions", "messages",
            #"[{"role":"user","content":[{"type":"text","text":"a"},{"type":"image_url"}]}]"#
        ),
        ("/chat/completions", "messages", #"[{"role":"user","content":[{"type":"input_audio"}]}]"#),
        ("/responses", "input", #"[{"role":"user","content":[{"type":"input_image","image_url":"data:"}]}]"#),
        ("/responses", "input", #"[{"role":"user","content":[{"type":"input_file"}]}]"#),
    ])
    func nonTextPartsAreRefused(_ path: String, _ name: String, _ value: String) async {
        let device = Device()
        let answer = await device.post(path, #""\#(name)":\#(value)"#)
        #expect(answer.status == 400 && answer.text.contains(#""param":"\#(name)""#), "\(answer.text)")
        #expect(device.transport.requests.isEmpty)
    }

    @Test(arguments: [
        ("chat", #""tools":[],"tool_choice":"auto","functions":null,"function_call":"none","audio":null"#),
        ("chat", #""tool_choice":"none","modalities":["text"],"web_search_options":null,"n":4,"logprobs":true"#),
        ("chat", #""response_format":{"type":"json_object"},"logit_bias":{"1":2},"stop":["a"],"seed":1,"store":true"#),
        ("chat", #""future":{"tools":[1],"store":true},"metadata":{"tool_choice":"required"}"#),
        ("completion", #""suffix":"","echo":false,"best_of":1,"logprobs":null,"n":2"#),
        ("response", #""text":{"format":{"type":"text"},"verbosity":"low"},"store":false,"background":false"#),
        ("response", #""previous_response_id":null,"top_logprobs":0,"tools":[],"reasoning":{"effort":"low"}"#),
    ])
    func supportedAndNeutralParametersPassUnchanged(_ shape: String, _ members: String) async throws {
        let (path, rest) = try #require(OnDeviceRulesTests.route[shape])
        let device = Device()
        let answer = await device.post(path, "\(rest),\(members)")
        #expect(answer.status == 200, "\(answer.text)")
        #expect(device.transport.requests.map(\.body) == [#"{"model":"smollm2",\#(rest),\#(members)}"#])
    }

    @Test(arguments: [
        #"[{"role":"user","content":"Hello"}]"#, #"[{"role":"user","content":[{"type":"text","text":"Hello"}]}]"#,
        #"[{"role":"assistant","content":null,"tool_calls":[]},{"role":"tool","content":"18"}]"#, "[1]",
    ])
    func messagesOfTextPass(_ messages: String) async {
        let device = Device()
        #expect(await device.post("/chat/completions", #""messages":\#(messages)"#).status == 200)
        #expect(device.transport.requests.count == 1)
    }

    @Test(arguments: ["/embeddings", "/moderations", "/images/generations", "/audio/speech"])
    func unsupportedRouteIsRefused(_ path: String) async {
        let device = Device()
        let answer = await device.post(path, #""input":"a""#)
        #expect(answer.status == 400 && answer.isError(code: "unsupported_operation"), "\(answer.text)")
        #expect(!answer.text.contains("--") && device.transport.requests.isEmpty)
    }

    @Test func otherUpstreamsGetTheSameRequestsUnchanged() async {
        let device = Device(kind: .openai)
        #expect(await device.post("/chat/completions", #""messages":[],"tools":[1],"audio":{}"#).status == 200)
        #expect(await device.post("/embeddings", #""input":"a""#).status == 200)
        #expect(device.transport.requests.count == 2)
    }

    // MARK: The context

    @Test(arguments: [false, true]) func promptBeyondTheContextIsAClientError(isStream: Bool) async throws {
        let said =
            #"{"error":{"code":400,"message":"request (10031 tokens) exceeds","type":"exceed_context_size_error","n_prompt_tokens":10031,"n_ctx":4096}}"#
        let device = Device(.json(said, status: 400))
        let answer = await device.post("/chat/completions", #""messages":[],"stream":\#(isStream)"#)
        #expect(answer.status == 400 && answer.isError(code: "context_length_exceeded"), "\(answer.text)")
        #expect(answer.text.contains("10031 tokens") && answer.text.contains("holds 4096 tokens"))
        let line = try device.running.log.members()
        #expect(line["outcome"] == "refused" && line["error"] == "context_length_exceeded")
        #expect(line["upstream_status"] == "400")
    }

    @Test func bodyBeyondAnyContextIsNotSent() async {
        let device = Device()
        let text = String(repeating: "a", count: 1 << 20)
        let answer = await device.post("/chat/completions", #""messages":[{"role":"user","content":"\#(text)"}]"#)
        #expect(answer.status == 400 && answer.isError(code: "context_length_exceeded"), "\(answer.text.prefix(200))")
        #expect(answer.text.contains("4096") && device.transport.requests.isEmpty)
    }
}
