import HeadgateTesting
import Testing

@Suite struct ChatStreamTests {
    @Test func deltasArriveOneByOneAndEndWithExactlyOneDone() async throws {
        let running = try RunningGateway(UpstreamScript(always: .chatStream(words: ["Hel", "lo", " you"])))
        let stream = try await running.openStream()
        #expect(stream.status == 200)
        #expect(stream.headers["content-type"] == "text/event-stream; charset=utf-8")
        #expect(stream.headers["cache-control"] == "no-cache, no-transform")
        #expect(stream.headers["x-accel-buffering"] == "no")
        #expect(stream.headers["x-request-id"] != nil)
        let events = try await stream.readEvents()
        let contents = ["Hel", "lo", " you"].map { #""content":"\#($0)""# }
        let words = events.filter { event in contents.contains { event.contains($0) } }
        #expect(words.count == 3)
        #expect(zip(words, contents).allSatisfy { $0.contains($1) })
        #expect(events.filter { $0 == "[DONE]" }.count == 1)
        #expect(events.last == "[DONE]")
    }

    @Test func upstreamSeesTheRealKeyAndTheInjectedHeadersAndNothingOfTheClient() async throws {
        let running = try RunningGateway(UpstreamScript(always: .chatCompletion("ok")))
        var headers = running.headers
        headers.append("Cookie", "secret=1")
        headers.append("X-Stainless-Lang", "python")
        headers.append("OpenAI-Organization", "org-client")
        let answer = try await running.ask(headers: headers)
        #expect(answer.status == 200)
        let seen = try await running.upstream.nextRequest()
        #expect(seen.path == "/v1/chat/completions")
        #expect(seen.headers["authorization"] == "Bearer \(RunningGateway.upstreamKey)")
        #expect(seen.headers.values(of: "authorization").count == 1)
        #expect(seen.headers["client-id"] == "my-app")
        #expect(seen.headers["app-os"] == "linux")
        #expect(seen.headers["accept-encoding"] == "identity")
        for name in ["cookie", "x-stainless-lang", "openai-organization", "x-api-key"] {
            #expect(seen.headers[name] == nil, "\(name)")
        }
        #expect(!seen.headers.lines.contains { $0.value.contains(RunningGateway.clientKey) })
        #expect(!String(decoding: answer.body, as: UTF8.self).contains(RunningGateway.upstreamKey))
    }

    @Test func unknownFieldsPassByteForByteInBothDirections() async throws {
        let odd =
            #"{"id":"x", "choices":[ {"index":0,"delta":{"weird\u0020key":[1,2.50,1e3,{"a":null}],"content":"\ud83d\ude00é"},"finish_reason":null}],"x_vendor":{"deep":[true,  false]}}"#
        let last = #"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#
        let running = try RunningGateway(UpstreamScript(always: .eventStream([odd, last, "[DONE]"])))
        let stream = try await running.openStream(extra: #","x_mine":{"n": 1.0, "s":"\u00e9"}"#)
        let events = try await stream.readEvents()
        #expect(events == [odd, last, "[DONE]"])
        let seen = try await running.upstream.nextRequest()
        #expect(seen.text.contains(#","x_mine":{"n": 1.0, "s":"\u00e9"}"#))
    }

    @Test func usageIsRequestedUpstreamAndHiddenUnlessRequested() async throws {
        let running = try RunningGateway(UpstreamScript(always: .chatStream(words: ["a"])))
        let silent = try await running.openStream().readEvents()
        #expect(!silent.contains { $0.contains(#""choices":[]"#) })
        #expect(try await running.upstream.nextRequest().text.contains(#""include_usage":true"#))
        let line = await running.log.next()
        #expect(line.contains(#""prompt_tokens":9"#))
        #expect(line.contains(#""completion_tokens":1"#))

        let asking = try await running.openStream(extra: #","stream_options":{"include_usage":true}"#).readEvents()
        #expect(asking.filter { $0.contains(#""choices":[]"#) && $0.contains(#""usage":{"#) }.count == 1)
    }

    @Test func renamedModelIsTranslatedInBothDirections() async throws {
        let running = try RunningGateway(UpstreamScript(always: .chatStream(words: ["a"], model: "inner-name")))
        let events = try await running.openStream(model: "renamed").readEvents()
        #expect(events.dropLast().allSatisfy { $0.contains(#""model":"renamed""#) })
        #expect(!events.contains { $0.contains("inner-name") })
        #expect(try await running.upstream.nextRequest().text.contains(#""model":"inner-name""#))
    }

    @Test func everySegmentationYieldsTheSameStream() async throws {
        var response = ScriptedResponse.chatStream(words: ["ä", "€", "😀"])
        let atOnce = try RunningGateway(UpstreamScript(always: response))
        let whole = try await atOnce.openStream().readEvents()
        response.split = 1
        let byteByByte = try RunningGateway(UpstreamScript(always: response))
        let pieces = try await byteByByte.openStream().readEvents()
        withExtendedLifetime((atOnce, byteByByte)) {}
        #expect(whole == pieces)
        #expect(pieces.last == "[DONE]")
    }

    @Test func streamHasOneLogLineWithoutSecretOrContent() async throws {
        let running = try RunningGateway(UpstreamScript(always: .chatStream(words: ["confidential"])))
        _ = try await running.openStream().readEvents()
        let line = await running.log.next()
        for part in [
            #""status":200"#, #""outcome":"finished""#, #""key":"test""#, #""model":"scripted""#, #""stream":true"#,
            #""finish_reason":"stop""#, #""operation":"createChatCompletion""#, #""ttft_ms":"#, #""duration_ms":"#,
        ] {
            #expect(line.contains(part), "\(part) in \(line)")
        }
        for secret in ["confidential", RunningGateway.clientKey, RunningGateway.upstreamKey] {
            #expect(!line.contains(secret))
        }
        #expect(running.log.all.count == 1)
    }
}
