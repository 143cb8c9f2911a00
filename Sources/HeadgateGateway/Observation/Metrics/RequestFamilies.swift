internal import HeadgateConfiguration
internal import HeadgateHTTP
internal import HeadgatePrimitives
internal import HeadgateRelay

/// Metrics of requests, from the counts of all loops.
struct RequestFamilies {
    let table: RequestTable
    /// Configured upstreams by name, with the provider of each one's API.
    let providers: [(upstream: String, provider: String)]

    var all: [MetricFamily] {
        [requests, attempts, retries, cache, limits, received, sent] + costs + [
            duration, firstToken, furtherTokens, tokens,
        ]
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
        // Configured upstreams are listed from the start, so that one without requests is visible too.
        for (upstream, _) in providers {
            counts[.init(upstream: ExactText(upstream), result: AttemptSummary.ok), default: 0] += 0
        }
        for each in table.series where each.singleAttempts > 0 {
            let result = each.name.cause.isEmpty ? AttemptSummary.ok : each.name.cause
            counts[.init(upstream: each.name.upstream, result: result), default: 0] += each.singleAttempts
        }
        var family = MetricFamily("headgate_attempts", .counter, help: "Attempts at upstreams by result.")
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
            "headgate_cache_requests", .counter, help: "Requests for models with a cache, by cache result.")
        for result in [CacheResult.hit, .miss, .bypass] {
            family.add(.count(table.cache[result.rawValue] ?? 0), [MetricLabel("result", result.rawValue)])
        }
        return family
    }

    private var limits: MetricFamily {
        var family = MetricFamily(
            "headgate_limit_refusals", .counter, help: "Requests refused by a limit, by the limit.")
        for limit in LimitMeasure.allCases.map(\.rawValue) + [LimitRefusal.inFlightWord, LimitRefusal.budgetWord] {
            family.add(.count(table.limits[limit] ?? 0), [MetricLabel("limit", limit)])
        }
        return family
    }

    private var received: MetricFamily {
        MetricFamily(
            "headgate_received_bytes", .counter, unit: .bytes, help: "Bytes of the bodies of requests.",
            value: .count(table.bytesReceived))
    }

    private var sent: MetricFamily {
        MetricFamily(
            "headgate_sent_bytes", .counter, unit: .bytes, help: "Bytes of the bodies of responses.",
            value: .count(table.bytesSent))
    }

    // MARK: OpenTelemetry's conventions

    private var duration: MetricFamily {
        family(
            "gen_ai_client_operation_duration_seconds", unit: .seconds,
            help: "How long requests that were sent to an upstream took, as clients see it.", byCause: true
        ) { [Measured(histogram: $0.duration)] }
    }

    private var firstToken: MetricFamily {
        family(
            "gen_ai_server_time_to_first_token_seconds", unit: .seconds,
            help: "From a request to the first content of its stream, all attempts included."
        ) { [Measured(histogram: $0.firstToken)] }
    }

    private var furtherTokens: MetricFamily {
        family(
            "gen_ai_server_time_per_output_token_seconds", unit: .seconds,
            help: "From the first content of a stream to its end, for each token after the first."
        ) { [Measured(histogram: $0.furtherTokens)] }
    }

    private var tokens: MetricFamily {
        family(
            "gen_ai_client_token_usage",
            help: "Tokens of a request as counted by its upstream; the source label marks estimates."
        ) { measures in
            let counted = [
                Measured(histogram: measures.promptTokens, tokenType: "input"),
                Measured(histogram: measures.completionTokens, tokenType: "output"),
            ]
            guard let estimates = measures.estimates else { return counted }
            let source = LedgerEntry.Source.estimated.rawValue
            return counted + [
                Measured(histogram: estimates.promptTokens, tokenType: "input", source: source),
                Measured(histogram: estimates.completionTokens, tokenType: "output", source: source),
            ]
        }
    }

    private struct Measured {
        let histogram: MetricHistogram
        var tokenType = ""
        /// Source of the token counts; empty if the upstream counted them.
        var source = ""
    }

    private struct Group: Hashable {
        let operation: String
        let model: ExactText
        let upstream: ExactText
        let cause: String
        let tokenType: String
        let source: String

        var order: [String] { [operation, model.text, upstream.text, cause, tokenType, source] }
    }

    /// Returns a family of histograms, grouped by their labels.
    ///
    /// - Parameters:
    ///   - byCause: whether failures are grouped by cause.
    ///   - measured: returns the histograms of a series.
    private func family(
        _ name: String, unit: MetricFamily.Unit? = nil, help: String, byCause: Bool = false,
        _ measured: (RequestSeries.Measures) -> [Measured]
    ) -> MetricFamily {
        var groups: [Group: MetricHistogram] = [:]
        for series in table.series {
            guard let measures = series.measures else { continue }
            let name = series.name
            for each in measured(measures) where each.histogram.count > 0 {
                let group = Group(
                    operation: GenAIOperation.name(of: name.operation), model: name.model, upstream: name.upstream,
                    cause: byCause ? name.cause : "", tokenType: each.tokenType, source: each.source)
                groups[group, default: MetricHistogram(each.histogram.scale)].add(each.histogram)
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
                    MetricLabel("source", group.source),
                ])
        }
        return family
    }

    /// Returns the provider of an upstream, or its own name if it is no longer configured.
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
