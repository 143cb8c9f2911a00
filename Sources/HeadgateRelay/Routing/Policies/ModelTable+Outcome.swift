internal import HeadgateConfiguration
internal import HeadgatePrimitives

extension ModelTable {
    /// The target that has answered a request, or was asked last.
    package func target(of outcome: inout Outcome) -> ModelTarget? {
        guard let model = outcome.model, let route = route(of: model) else { return nil }
        if let single = route.single { return single }
        guard let upstream = outcome.upstream else { return nil }
        let targets = route.targets.filter { $0.upstream.name.isExactly(upstream) }
        guard targets.count > 1 else { return targets.first }
        // The one with the response, of those at one upstream.
        let answered = outcome.attempts.last { $0.error == nil && $0.upstream.isExactly(upstream) }
        return targets.first { $0.model == answered?.model } ?? targets.first
    }
}
