import Testing

@testable import HeadgateDialects

@Suite("Reading requests of Ollama's clients")
struct OllamaRequestTests {
    private func read(
        _ text: String, _ format: ClientFormat = .ollamaChat
    ) throws -> (request: ModelRequest, dropped: [String]) {
        var losses = Losses(client: format)
        let body = try JSONObject.request(Array(text.utf8))
        return (try format.requestReader.read(body, &losses), losses.dropped)
    }

    private func fault(_ text: String, _ format: ClientFormat = .ollamaChat) -> TranslationError? {
        do {
            _ = try read(text, format)
            return nil
        } catch {
            return error as? TranslationError
        }
    }

    private func chat(_ more: String) -> String {
        #"{"model":"m","messages":[{"role":"user","content":"u"}],\#(more)}"#
    }

    @Test("are streams by default")
    func streams() throws {
        #expect(try read(chat(#""tools":[]"#)).request.isStream)
        #expect(try read(chat(#""stream":null"#)).request.isStream)
        #expect(try !read(chat(#""stream":false"#)).request.isStream)
    }

    @Test("their options are settings, and those that no other API has are named")
    func options() throws {
        let options = #"{"temperature":0.1,"top_k":3,"num_predict":9,"stop":"x","num_ctx":4096,"seed":null}"#
        let (request, dropped) = try read(chat(#""options":\#(options)"#))
        #expect(request.settings == [.temperature: .number("0.1"), .topK: 3])
        #expect(request.maximumTokens == 9)
        #expect(request.stopSequences == ["x"])
        #expect(dropped == ["options.num_ctx"])
        for (limit, maximum) in [(-2, nil), (0, nil), (1, 1)] as [(Int, Int?)] {
            #expect(try read(chat(#""options":{"num_predict":\#(limit)}"#)).request.maximumTokens == maximum)
        }
        let penalties = try read(chat(#""options":{"presence_penalty":0,"frequency_penalty":0.5}"#))
        #expect(penalties.request.settings == [.frequencyPenalty: .number("0.5")] && penalties.dropped.isEmpty)
    }

    @Test("probabilities are named as lost only if they are requested")
    func probabilities() throws {
        #expect(try read(chat(#""logprobs":false,"top_logprobs":0,"keep_alive":5"#)).dropped.isEmpty)
        #expect(try read(chat(#""logprobs":true,"top_logprobs":1"#)).dropped == ["logprobs", "top_logprobs"])
    }

    @Test(
        "stop sequences are one text or several",
        arguments: [(#""x""#, ["x"]), (#""""#, []), ("[]", []), (#"["x","y"]"#, ["x", "y"])] as [(String, [String])])
    func stops(value: String, sequences: [String]) throws {
        #expect(try read(chat(#""options":{"stop":\#(value)}"#)).request.stopSequences == sequences)
        #expect(fault(chat(#""options":{"stop":["x",7]}"#))?.member == "options.stop[1]")
    }

    @Test("calls and results find each other by id, by name and by order")
    func calls() throws {
        let request = try read(
            """
            {"model":"m","messages":[
            {"role":"assistant","content":"","tool_calls":[{"function":{"name":"f","arguments":{"x":1}}},
            {"function":{"name":"g","arguments":{}}},{"id":"call_1","function":{"name":"f","arguments":{}}}]},
            {"role":"tool","tool_call_id":"call_1","content":"by id"},
            {"role":"tool","tool_name":"g","content":"by name"},
            {"role":"tool","content":"by order"},{"role":"tool","tool_name":"other","content":"nobody's"}]}
            """
        ).request
        let parts = request.messages.flatMap(\.parts)
        let calls = parts.compactMap { part -> ToolCall? in
            if case .toolCall(let call) = part.content { call } else { nil }
        }
        let results = parts.compactMap { part -> ToolResult? in
            if case .toolResult(let result) = part.content { result } else { nil }
        }
        #expect(calls.map(\.id) == ["call_0", "call_2", "call_1"])
        #expect(calls.map(\.arguments) == [#"{"x":1}"#, "{}", "{}"])
        #expect(results.map(\.callID) == ["call_1", "call_2", "call_0", "other"])
    }

    @Test("have the type of their picture")
    func images() throws {
        let request = try read(
            """
            {"model":"m","messages":[{"role":"user","content":"u","images":["iVBORw0KGgoAAA","/9j/4A",
            "R0lGODlh","UklGRg","data:image/png;base64,AAAA"]}]}
            """
        ).request
        let types = request.messages[0].parts.compactMap { part -> String? in
            if case .image(.data(let type, _), _) = part.content { type } else { nil }
        }
        #expect(types == ["image/png", "image/jpeg", "image/gif", "image/webp", "image/png"])
        let fault = fault(#"{"model":"m","messages":[{"role":"user","images":["iVBORw0KGgo","AAAA"]}]}"#)
        #expect(fault?.member == "messages[0].images[1]")
        let image = #""images":["iVBORw0KGgo"]"#
        for role in ["system", "assistant"] {
            let fault = self.fault(#"{"model":"m","messages":[{"role":"\#(role)","content":"a",\#(image)}]}"#)
            #expect(fault?.member == "messages[0].images")
        }
    }

    @Test("a schema closes its objects, as Ollama's own grammar does")
    func schemas() throws {
        let schema = #"{"type":"object","properties":{"x":{"type":"string"}},"required":["x"]}"#
        let (request, dropped) = try read(chat(#""format":\#(schema)"#))
        guard case .schema(let read, _, _, let isStrict) = request.format else { return #expect(Bool(false)) }
        #expect(read["additionalProperties"] == false)
        #expect(isStrict == true)
        #expect(dropped.isEmpty)
        #expect(try self.read(chat(#""format":"""#)).request.format == nil)
        #expect(try self.read(chat(#""format":"json""#)).request.format == .json)
        #expect(fault(chat(#""format":7"#))?.member == "format")
    }

    @Test(
        "thinking is requested by level or by a boolean",
        arguments: [("true", "medium"), ("false", "none"), (#""high""#, "high"), (#""none""#, "none")])
    func thinking(value: String, effort: String) throws {
        #expect(try read(chat(#""think":\#(value)"#)).request.reasoning?.effort?.rawValue == effort)
        #expect(fault(chat(#""think":"deeply""#))?.member == "think")
    }

    @Test("a prompt is a message, behind the system's")
    func generate() throws {
        let (request, dropped) = try read(
            #"{"model":"m","prompt":"u","system":"s","images":["/9j/4A"],"context":[],"template":"t"}"#, .ollamaGenerate
        )
        #expect(request.messages.map(\.role) == [.system, .user])
        #expect(request.messages[1].parts.first == Part(.text("u")))
        #expect(request.messages[1].parts.count == 2)
        #expect(dropped == ["template"])
    }

    @Test(
        "continuation members are refused by name",
        arguments: [(#""raw":true"#, "raw"), (#""suffix":"x""#, "suffix"), (#""context":[1]"#, "context")])
    func completion(member: String, name: String) {
        #expect(fault(#"{"model":"m","prompt":"u",\#(member)}"#, .ollamaGenerate)?.member == name)
    }

    @Test("embeddings are requested in OpenAI's form, and returned in Ollama's, in order")
    func embeddings() throws {
        let request = try EmbeddingTranslation.request(
            Array(#"{"model":"m","input":["a","b"],"dimensions":2,"keep_alive":0,"options":{"num_ctx":1}}"#.utf8),
            in: .list, model: "up")
        #expect(
            String(decoding: request.body, as: UTF8.self)
                == #"{"model":"up","input":["a","b"],"dimensions":2,"encoding_format":"float"}"#)
        #expect(request.dropped == ["options.num_ctx"])
        let answer = Array(
            #"{"data":[{"index":1,"embedding":[0.5]},{"index":0,"embedding":[1]}],"usage":{"prompt_tokens":4}}"#.utf8)
        #expect(
            String(decoding: try EmbeddingTranslation.response(answer, in: .list, request.context), as: UTF8.self)
                == #"{"model":"m","embeddings":[[1],[0.5]],"total_duration":1,"load_duration":0,"prompt_eval_count":4}"#
        )
        #expect(
            String(decoding: try EmbeddingTranslation.response(answer, in: .single, request.context), as: UTF8.self)
                == #"{"embedding":[1]}"#)
    }

    @Test(
        "embeddings that are not one for each text are refused",
        arguments: [
            #"{"data":[{"index":7,"embedding":[1]}]}"#, #"{"data":[{"index":-1,"embedding":[1]}]}"#,
            #"{"data":[{"index":1,"embedding":[1]}]}"#, #"{"data":[{"embedding":7}]}"#, #"{"data":[{}]}"#,
            #"{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[2]}]}"#, #"{"data":{}}"#, "[]", "{",
        ])
    func strangeEmbeddings(document: String) {
        #expect(throws: ResponseFault.unexpected) {
            try EmbeddingTranslation.response(Array(document.utf8), in: .list, ResponseContext())
        }
    }

    @Test("embeddings without numbers have the order in which they come, and none are an error for one prompt")
    func unnumberedEmbeddings() throws {
        let document = Array(#"{"data":[{"embedding":[1]},{"embedding":[2]}]}"#.utf8)
        let list = try EmbeddingTranslation.response(document, in: .list, ResponseContext())
        #expect(String(decoding: list, as: UTF8.self).contains(#""embeddings":[[1],[2]],"#))
        let none = Array(#"{"data":[]}"#.utf8)
        let empty = try EmbeddingTranslation.response(none, in: .list, ResponseContext())
        #expect(String(decoding: empty, as: UTF8.self).contains(#""embeddings":[],"#))
        #expect(throws: ResponseFault.unexpected) {
            try EmbeddingTranslation.response(none, in: .single, ResponseContext())
        }
    }

    @Test("a single prompt of the older form is an input")
    func prompt() throws {
        let request = try EmbeddingTranslation.request(
            Array(#"{"model":"m","prompt":"a","truncate":true,"dimensions":2}"#.utf8), in: .single, model: "up")
        #expect(
            String(decoding: request.body, as: UTF8.self)
                == #"{"model":"up","input":"a","encoding_format":"float"}"#)
        #expect(request.dropped == ["truncate", "dimensions"] && request.context.model == "m")
        let loading = try EmbeddingTranslation.request(
            Array(#"{"model":"m","truncate":false,"options":{"a":null}}"#.utf8), in: .list, model: "up")
        #expect(
            String(decoding: loading.body, as: UTF8.self) == #"{"model":"up","input":[],"encoding_format":"float"}"#)
        #expect(loading.dropped.isEmpty)
        #expect(throws: TranslationError.self) {
            try EmbeddingTranslation.request(Array(#"{"input":["a",7]}"#.utf8), in: .list, model: "up")
        }
    }
}
