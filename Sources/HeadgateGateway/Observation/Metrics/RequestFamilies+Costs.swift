internal import HeadgateConfiguration
internal import HeadgatePrimitives
internal import HeadgateRelay

extension RequestFamilies {
    private struct Place: Hashable {
        let model: ExactText
        let upstream: ExactText
    }

    /// Costs by model and upstream; without samples if nothing has a price.
    var costs: [MetricFamily] {
        var sums: [Place: (cost: Int, estimated: Int, unknown: Int)] = [:]
        for each in table.series where each.pricedRequests + each.unpricedRequests > 0 {
            let sum = sums[Place(model: each.name.model, upstream: each.name.upstream), default: (0, 0, 0)]
            sums[Place(model: each.name.model, upstream: each.name.upstream)] = (
                sum.cost.addingCapped(each.cost), sum.estimated.addingCapped(each.estimatedCost),
                sum.unknown + each.unpricedRequests
            )
        }
        var known = MetricFamily(
            "headgate_cost_usd", .counter,
            help: "Cost of requests in USD; the source label marks estimates.")
        var unknown = MetricFamily(
            "headgate_cost_unknown_requests", .counter,
            help: "Requests that an upstream has answered at an unknown cost.")
        let ordered = sums.sorted {
            ($0.key.model.text, $0.key.upstream.text) < ($1.key.model.text, $1.key.upstream.text)
        }
        for (place, sum) in ordered {
            let labels = [MetricLabel("model", place.model.text), MetricLabel("upstream", place.upstream.text)]
            known.add(.number(Double(sum.cost) / 1e12), labels)
            if sum.estimated > 0 {
                let source = MetricLabel("source", LedgerEntry.Source.estimated.rawValue)
                known.add(.number(Double(sum.estimated) / 1e12), labels + [source])
            }
            unknown.add(.count(sum.unknown), labels)
        }
        return [known, unknown]
    }
}
