internal import HeadgateConfiguration
internal import HeadgateHTTP

/// The metrics of requests, from what all loops have counted.
struct RequestFamilies {
    let table: RequestTable
    /// The configured upstreams, by name, and whose API each is.
    let providers: [(upstream: String, provider: String)]

    var all: [MetricFamily] {
        [requests, attempts, retries, cache, received, sent] + costs + [duration, firstToken, furtherTokens, tokens]
    }

    // MARK: The gateway's own

    private var requests: MetricFamily {
        var family = MetricFamily(
            "headgate_requests", .counter, help: "Requests by how they ended. Successful health checks are not counted."
        )
        for each in sorted(table.series) {
            family.add(
                .count(each.requests),
                [
                    MetricLabel("operation", each.name.operation), MetricLabel("model", each.name.model.text),
                    MetricLabel("upstream", each.name.upstream.text),
                    MetricLabel("outcome", each.name.end.rawValue), MetricLabel("cause", each.name.cause),
                ])
        }
        return family
    }

    private var attempts: MetricFamily {
        var counts = table.attempts
        // Configured ones are there from the start, so that one that gets no requests is seen too.
        for (upstream, _) in providers {
            counts[.init(upstream: ExactText(upstream), result: AttemptSummary.ok), default: 0] += 0
        }
        for each in table.series where each.singleAttempts > 0 {
            let result = each.name.cause.isEmpty ? AttemptSummary.ok : each.name.cause
            counts[.init(upstream: each.name.upstream, result: result), default: 0] += each.singleAttempts
        }
        var family = MetricFamily("headgate_attempts", .counter, help: "Requests to upstreams by what came of them.")
        let ordered = counts.sorted { ($0.key.upstream.text, $0.key.result) < ($1.key.upstream.text, $1.key.result) }
        for (name, count) in ordered {
            family.add(
                .count(count), [MetricLabel("upstream", name.upstream.text), MetricLabel("result", name.result)])
        }
        return family
    }

    private var retries: MetricFamily {
        MetricFamily(
            "headgate_retries", .counter, help: "Attempts after the first one of their request.",
            value: .count(table.retries))
    }

    private var cache: MetricFamily {
        var family = MetricFamily(
            "headgate_cache_requests", .counter, help: "Requests for models with a cache, by what it did for them.")
        for result in [CacheFields.Result.hit, .miss, .bypass] {
            family.add(.count(table.cache[result.rawValue] ?? 0), [MetricLabel("result", result.rawValue)])
        }
        return family
    }

    private var received: MetricFamily {
        MetricFamily(
            "headgate_received_bytes", .counter, unit: .bytes, help: "Octets of the bodies of requests.",
            value: .count(table.bytesReceived))
    }

    private var sent: MetricFamily {
        MetricFamily(
            "headgate_sent_bytes", .counter, unit: .bytes, help: "Octets of the bodies of responses.",
            value: .count(table.bytesSent))
    }

    // MARK: Those of OpenTelemetry's conventions

    private var duration: MetricFamily {
        family(
            "gen_ai_client_operation_duration_seconds", unit: .seconds,
            help: "How long requests that were sent to an upstream took, as clients see it.", byCause: true
        ) { [($0.duration, nil)] }
    }

    private var firstToken: MetricFamily {
        family(
            "gen_ai_server_time_to_first_token_seconds", unit: .seconds,
            help: "From a request to the first content of its stream, all attempts included."
        ) { [($0.firstToken, nil)] }
    }

    private var furtherTokens: MetricFamily {
        family(
            "gen_ai_server_time_per_output_token_seconds", unit: .seconds,
            help: "From the first content of a stream to its end, for each token after the first."
        ) { [($0.furtherTokens, nil)] }
    }

    private var tokens: MetricFamily {
        family("gen_ai_client_token_usage", help: "Tokens of a request, as its upstream has counted them.") {
            [($0.promptTokens, "input"), ($0.completionTokens, "output")]
        }
    }

    private struct Group: Hashable {
        let operation: String
        let model: ExactText
        let upstream: ExactText
        let cause: String
        let tokenType: String

        var order: [String] { [operation, model.text, upstream.text, cause, tokenType] }
    }

    /// - Parameters:
    ///   - byCause: whether failures are told apart.
    ///   - measured: histograms of a series, with the type of their tokens if they count such.
    private func family(
        _ name: String, unit: MetricFamily.Unit? = nil, help: String, byCause: Bool = false,
        _ measured: (RequestSeries.Measures) -> [(histogram: MetricHistogram, tokenType: String?)]
    ) -> MetricFamily {
        var groups: [Group: MetricHistogram] = [:]
        for each in table.series {
            guard let measures = each.measures else { continue }
            for (histogram, tokenType) in measured(measures) where histogram.count > 0 {
                let group = Group(
                    operation: GenAIOperation.name(of: each.name.operation), model: each.name.model,
                    upstream: each.name.upstream, cause: byCause ? each.name.cause : "", tokenType: tokenType ?? "")
                groups[group, default: MetricHistogram(histogram.scale)].add(histogram)
            }
        }
        var family = MetricFamily(name, .histogram, unit: unit, help: help)
        for (group, histogram) in groups.sorted(by: { $0.key.order.lexicographicallyPrecedes($1.key.order) }) {
            family.add(
                .histogram(histogram),
                [
                    MetricLabel("gen_ai_operation_name", group.operation),
                    MetricLabel("gen_ai_provider_name", provider(of: group.upstream.text)),
                    MetricLabel("gen_ai_request_model", group.model.text),
                    MetricLabel("upstream", group.upstream.text), MetricLabel("error_type", group.cause),
                    MetricLabel("gen_ai_token_type", group.tokenType),
                ])
        }
        return family
    }

    /// One that is not configured any more is its own.
    private func provider(of upstream: String) -> String {
        providers.first { $0.upstream.isExactly(upstream) }?.provider ?? upstream
    }

    private func sorted(_ series: [RequestSeries]) -> [RequestSeries] {
        func order(_ name: RequestTable.Name) -> [String] {
            [name.operation, name.model.text, name.upstream.text, name.end.rawValue, name.cause]
        }
        return series.map { (order($0.name), $0) }.sorted { $0.0.lexicographicallyPrecedes($1.0) }.map(\.1)
    }
}
