internal import HeadgateConfiguration
internal import HeadgateHTTP
internal import HeadgateRelay

/// Metrics of the current state of the upstreams.
struct GatewayFamilies: Sendable {
    /// Upstreams in the order of the configuration.
    let upstreams: [ObservedUpstream]
    let models: ModelTable

    /// - Parameter now: monotonic nanoseconds.
    func all(at now: UInt64) -> [MetricFamily] {
        [
            upstreamFamily("headgate_requests_in_flight", "Requests that an upstream is answering.") {
                $0.activity.requestsInFlight
            },
            upstreamFamily("headgate_streams_in_flight", "Streams in flight.") { $0.activity.streamsInFlight },
            upstreamFamily("headgate_queue_depth", "Requests that wait for a slot at an upstream with max_in_flight.") {
                $0.flight?.queue.waiting
            },
            upstreamFamily(
                "headgate_upstream_reachable", "Whether the last request got a response; missing before the first."
            ) { $0.isReachable.map { $0 ? 1 : 0 } },
            upstreamFamily("headgate_upstream_healthy", "Result of the last active check; missing without one.") {
                $0.isHealthy.map { $0 ? 1 : 0 }
            },
            upstreamFamily("headgate_upstream_keys_resting", "Keys that rest because an upstream refused them.") {
                $0.keys.resting(at: now)
            },
            repairs,
            breakers(at: now),
        ]
    }

    private func upstreamFamily(
        _ name: String, _ help: String, _ value: (ObservedUpstream) -> Int?
    ) -> MetricFamily {
        var family = MetricFamily(name, .gauge, help: help)
        for upstream in upstreams {
            if let value = value(upstream) { family.add(.count(value), [MetricLabel("upstream", upstream.name)]) }
        }
        return family
    }

    private var repairs: MetricFamily {
        var family = MetricFamily(
            "headgate_repairs", .counter, help: "Requests that were sent again without what an upstream had refused.")
        for upstream in upstreams {
            for (repair, number) in upstream.upstream.repairs.counted {
                family.add(
                    .count(number), [MetricLabel("upstream", upstream.name), MetricLabel("repair", repair.rawValue)])
            }
        }
        return family
    }

    /// Returns the state of each target's breaker once: models that route to the same target share it.
    private func breakers(at now: UInt64) -> MetricFamily {
        var family = MetricFamily(
            "headgate_breaker_open", .gauge, help: "Whether the circuit breaker of an upstream's model is open.")
        var seen: Set<TargetName> = []
        for (name, route) in models.routes {
            for target in route.targets where target.limits.breaker != nil {
                let model = target.model ?? name
                guard seen.insert(TargetName(upstream: target.upstream.name, model: model)).inserted else { continue }
                family.add(
                    .count(target.limits.isOpen(at: now) ? 1 : 0),
                    [MetricLabel("upstream", target.upstream.name), MetricLabel("model", model)])
            }
        }
        return family
    }
}

extension UpstreamDefinition {
    /// Provider of the API, by OpenTelemetry's name if there is one; otherwise the name of the upstream.
    var providerName: String {
        switch configuration.kind {
        case .anthropic: "anthropic"
        case .azure: "azure.ai.openai"
        case .onDevice: name
        case .openai: UpstreamDefinition.providers[baseURL.authority] ?? name
        }
    }

    private static let providers = [
        "api.openai.com": "openai", "api.groq.com": "groq", "api.mistral.ai": "mistral_ai",
        "api.deepseek.com": "deepseek", "api.x.ai": "x_ai", "api.perplexity.ai": "perplexity",
        "api.cohere.ai": "cohere", "api.moonshot.ai": "moonshot_ai",
        "generativelanguage.googleapis.com": "gcp.gemini",
    ]
}
