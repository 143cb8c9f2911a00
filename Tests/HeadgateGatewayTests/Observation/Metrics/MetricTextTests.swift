import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct MetricTextTests {
    private func text(_ families: [MetricFamily], as format: MetricText.Format) -> String {
        String(decoding: MetricText.bytes(of: families, as: format), as: UTF8.self)
    }

    private var sample: [MetricFamily] {
        var requests = MetricFamily("headgate_requests", .counter, help: "Requests.")
        requests.add(.count(3), [MetricLabel("model", "m"), MetricLabel("cause", "")])
        requests.add(.count(1), [MetricLabel("model", "n"), MetricLabel("cause", "stall")])
        var histogram = MetricHistogram(.tokens)
        for value: UInt64 in [0, 1, 2, 70_000_000] { histogram.observe(value) }
        var tokens = MetricFamily("gen_ai_client_token_usage", .histogram, help: "Tokens.")
        tokens.add(.histogram(histogram), [MetricLabel("model", "m")])
        return [
            requests, tokens,
            MetricFamily("process_cpu_seconds", .counter, unit: .seconds, help: "Time.", value: .number(0.25)),
            MetricFamily("headgate_nothing", .gauge, help: "Without a sample."),
        ]
    }

    @Test func prometheusTextIsExact() {
        #expect(
            text(sample, as: .prometheus) == """
                # HELP headgate_requests_total Requests.
                # TYPE headgate_requests_total counter
                headgate_requests_total{model="m"} 3
                headgate_requests_total{model="n",cause="stall"} 1
                # HELP gen_ai_client_token_usage Tokens.
                # TYPE gen_ai_client_token_usage histogram
                gen_ai_client_token_usage_bucket{model="m",le="1.0"} 2
                gen_ai_client_token_usage_bucket{model="m",le="4.0"} 3
                gen_ai_client_token_usage_bucket{model="m",le="16.0"} 3
                gen_ai_client_token_usage_bucket{model="m",le="64.0"} 3
                gen_ai_client_token_usage_bucket{model="m",le="256.0"} 3
                gen_ai_client_token_usage_bucket{model="m",le="1024.0"} 3
                gen_ai_client_token_usage_bucket{model="m",le="4096.0"} 3
                gen_ai_client_token_usage_bucket{model="m",le="16384.0"} 3
                gen_ai_client_token_usage_bucket{model="m",le="65536.0"} 3
                gen_ai_client_token_usage_bucket{model="m",le="262144.0"} 3
                gen_ai_client_token_usage_bucket{model="m",le="1048576.0"} 3
                gen_ai_client_token_usage_bucket{model="m",le="4194304.0"} 3
                gen_ai_client_token_usage_bucket{model="m",le="16777216.0"} 3
                gen_ai_client_token_usage_bucket{model="m",le="67108864.0"} 3
                gen_ai_client_token_usage_bucket{model="m",le="+Inf"} 4
                gen_ai_client_token_usage_sum{model="m"} 70000003.0
                gen_ai_client_token_usage_count{model="m"} 4
                # HELP process_cpu_seconds_total Time.
                # TYPE process_cpu_seconds_total counter
                process_cpu_seconds_total 0.25

                """)
    }

    @Test func exemplarsAreOnlyInOpenMetrics() {
        var histogram = MetricHistogram(.operations)
        let source = MetricExemplar.Source(trace: TraceID(high: 1, low: 2), time: 1_800_000_000_045_999_999)
        histogram.observe(1_500_000_000, from: source)
        histogram.observe(1_500_000_000)
        histogram.observe(90_000_000_000, from: source)
        var family = MetricFamily("x_seconds", .histogram, unit: .seconds, help: "X.")
        family.add(.histogram(histogram))
        let id = "00000000000000010000000000000002"
        let lines = text([family], as: .openMetrics).split(separator: "\n").filter { $0.contains("trace_id") }
        #expect(
            lines == [
                "x_seconds_bucket{le=\"2.56\"} 2 # {trace_id=\"\(id)\"} 1.5 1800000000.045",
                "x_seconds_bucket{le=\"+Inf\"} 3 # {trace_id=\"\(id)\"} 90.0 1800000000.045",
            ])
        #expect(!text([family], as: .prometheus).contains("trace_id"))
    }

    @Test func exemplarOfACountIsTheLastOne() {
        func source(_ time: Int64) -> MetricExemplar.Source { .init(trace: TraceID(high: 0, low: 1), time: time) }
        var (one, other, none) = (MetricHistogram(.tokens), MetricHistogram(.tokens), MetricHistogram(.tokens))
        one.observe(1, from: source(5))
        other.observe(1, from: source(4))
        other.observe(2, from: source(4))
        none.observe(3)
        one.add(other)
        one.add(none)
        #expect(one.exemplars.compactMap(\.self).map(\.source.time) == [5, 4])
        none.add(one)
        #expect(none.exemplars == one.exemplars && none.count == 5)
    }

    @Test func openMetricsDropsTheCounterSuffixAndHasAnEndMarker() {
        let lines = text(sample, as: .openMetrics).split(separator: "\n")
        #expect(
            lines.filter { $0.hasPrefix("#") } == [
                "# HELP headgate_requests Requests.", "# TYPE headgate_requests counter",
                "# HELP gen_ai_client_token_usage Tokens.", "# TYPE gen_ai_client_token_usage histogram",
                "# HELP process_cpu_seconds Time.", "# TYPE process_cpu_seconds counter",
                "# UNIT process_cpu_seconds seconds", "# EOF",
            ])
        // Samples have the same names in both formats, so that a change of format starts no new series.
        let samples = { (format: MetricText.Format) in
            text(sample, as: format).split(separator: "\n").filter { !$0.hasPrefix("#") }
        }
        #expect(samples(.openMetrics) == samples(.prometheus))
    }

    @Test func labelsAndHelpAreEscaped() {
        var family = MetricFamily("x", .gauge, help: "a\\b\n\"c\"")
        family.add(.count(1), [MetricLabel("l", "a\\b\n\"c\" ü")])
        #expect(
            text([family], as: .prometheus)
                == "# HELP x a\\\\b\\n\"c\"\n# TYPE x gauge\nx{l=\"a\\\\b\\n\\\"c\\\" ü\"} 1\n")
        #expect(text([family], as: .openMetrics).contains("# HELP x a\\\\b\\n\\\"c\\\"\n"))
    }

    @Test(arguments: [
        (0.0, "0.0"), (1e-9, "1e-09"), (1_763_712_000.1, "1763712000.1"), (.infinity, "+Inf"), (-.infinity, "-Inf"),
        (.nan, "NaN"),
    ]) func numbersAreThoseThatPrometheusReads(_ number: Double, _ expected: String) {
        let family = MetricFamily("x", .gauge, help: "", value: .number(number))
        #expect(text([family], as: .prometheus).hasSuffix("\nx \(expected)\n"))
    }

    @Test(arguments: [
        (nil, false), ("*/*", false), ("text/plain", false), ("application/openmetrics-text", true),
        (
            "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,"
                + "text/plain;version=0.0.4;q=0.5,*/*;q=0.1", true
        ),
        ("application/openmetrics-text; q=0.5, text/plain", false), ("application/openmetrics-text;q=0", false),
        ("APPLICATION/OpenMetrics-Text ; version=1.0.0", true), ("application/openmetrics-text;q=x", false),
    ]) func openMetricsIsSentIfPreferred(_ accept: String?, _ expected: Bool) {
        #expect((MetricText.Format(accept: accept) == .openMetrics) == expected)
    }
}
