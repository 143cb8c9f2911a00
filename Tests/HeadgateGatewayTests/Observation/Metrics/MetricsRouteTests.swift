import HTTPTypes
import HeadgateConfiguration
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// `GET /metrics`: access and content.
@Suite struct MetricsRouteTests {
    private func metrics(_ running: InProcessGateway) async -> [Substring] {
        let answer = await running.ask(.get, "/metrics")
        #expect(answer.status == 200)
        return answer.text.split(separator: "\n")
    }

    @Test func metricsNeedAKeyOfAnAdministrator() async {
        let running = InProcessGateway(metrics: CountedRequests())
        let none = await running.ask(.get, "/metrics", key: nil)
        #expect(none.status == 401 && none.isError(code: "invalid_api_key"))
        let limited = await running.ask(.get, "/metrics", key: InProcessGateway.limitedKey)
        #expect(limited.status == 403 && limited.isError(code: "admin_key_needed"))
        #expect(!limited.text.contains("headgate_"))
        let keyless = InProcessGateway(isKeyless: true, metrics: CountedRequests())
        #expect(await keyless.ask(.get, "/metrics", key: nil).status == 200)
    }

    @Test func disabledMetricsExplainHowToEnableThem() async {
        let answer = await InProcessGateway().ask(.get, "/metrics")
        #expect(answer.status == 404 && answer.isError(code: "metrics_off") && answer.text.contains("metrics: true"))
    }

    @Test func formatIsTheRequestedOne() async {
        let running = InProcessGateway(metrics: CountedRequests())
        let plain = await running.ask(.get, "/metrics")
        #expect(plain.headerFields[.contentType] == "text/plain; version=0.0.4; charset=utf-8")
        #expect(plain.headerFields[.cacheControl] == "no-store" && !plain.text.contains("# EOF"))
        let open = await running.ask(
            .get, "/metrics", headerFields: [.accept: "application/openmetrics-text; version=1.0.0"])
        #expect(
            open.headerFields[.contentType] == "application/openmetrics-text; version=1.0.0; charset=utf-8")
        #expect(open.text.hasSuffix("\n# EOF\n"))
    }

    @Test func requestsAreCountedOnlyByConfiguredNames() async {
        let running = InProcessGateway(metrics: CountedRequests())
        _ = await running.chat()
        _ = await running.chat(model: "any-thing-that-a-client-likes")
        _ = await running.chat(model: "unheard-of")
        _ = await running.ask(.get, "/nowhere")
        let lines = await metrics(running)
        for expected in [
            #"{operation="createChatCompletion",model="plain",upstream="up",outcome="finished"} 1"#,
            #"{operation="createChatCompletion",model="any-*",upstream="up",outcome="finished"} 1"#,
            #"{operation="createChatCompletion",model="other",outcome="refused",cause="model_not_found"} 1"#,
            #"{operation="unmatched",outcome="refused",cause="unknown_route"} 1"#,
        ] {
            #expect(lines.contains("headgate_requests_total" + expected))
        }
        #expect(!lines.contains { $0.contains("client-likes") || $0.contains("unheard") })
    }

    @Test func codesOfUpstreamsAreCountedByTheirStatus() async {
        let running = InProcessGateway(
            .json(#"{"error":{"message":"m","code":"its_own_code"}}"#, status: 422), metrics: CountedRequests())
        let answer = await running.chat()
        #expect(answer.isError(code: "its_own_code"))
        let lines = await metrics(running)
        #expect(lines.contains(#"headgate_attempts_total{upstream="up",result="status_422"} 1"#))
        #expect(lines.contains { $0.hasPrefix("headgate_requests_total") && $0.contains(#"cause="status_422""#) })
        #expect(!lines.contains { $0.contains("its_own_code") })
    }

    @Test func pollsAreCountedOnlyWhenTheyFail() async {
        let running = InProcessGateway(metrics: CountedRequests())
        for path in ["/livez", "/metrics", "/status/data"] { _ = await running.ask(.get, path) }
        #expect(await !metrics(running).contains { $0.hasPrefix("headgate_requests_total") })
        _ = await running.ask(.get, "/metrics", key: nil)
        #expect(
            await metrics(running).contains(
                #"headgate_requests_total{operation="getMetrics",outcome="refused",cause="invalid_api_key"} 1"#))
    }

    @Test func tokensAreTheUpstreamsCounts() async {
        let body =
            #"{"choices":[{"index":0,"finish_reason":"stop"}],"usage":{"prompt_tokens":11,"completion_tokens":4}}"#
        let running = InProcessGateway(.json(body), metrics: CountedRequests())
        _ = await running.chat()
        let lines = await metrics(running)
        let labels =
            #"gen_ai_operation_name="chat",gen_ai_provider_name="up",gen_ai_request_model="plain",upstream="up""#
        #expect(lines.contains("gen_ai_client_token_usage_sum{\(labels),gen_ai_token_type=\"input\"} 11.0"))
        #expect(lines.contains("gen_ai_client_token_usage_sum{\(labels),gen_ai_token_type=\"output\"} 4.0"))
        #expect(lines.contains("gen_ai_client_operation_duration_seconds_count{\(labels)} 1"))
    }

    @Test func stateOfUpstreamsLoopsAndProcessIsIncluded() async {
        let running = InProcessGateway(metrics: CountedRequests())
        _ = await running.chat()
        let lines = await metrics(running)
        for expected in [
            #"headgate_requests_in_flight{upstream="up"} 0"#, #"headgate_upstream_reachable{upstream="up"} 1"#,
            "headgate_draining 0", #"headgate_loop_lag_seconds{loop="0"} 0.0015"#, "process_threads 3",
            #"headgate_cache_requests_total{result="hit"} 0"#,
        ] {
            #expect(lines.contains(Substring(expected)))
        }
    }
}
