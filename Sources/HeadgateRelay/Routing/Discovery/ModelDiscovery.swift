internal import HeadgateConfiguration
package import HeadgateHTTP
internal import HeadgatePrimitives

/// Discovery of models that upstreams list and the configuration does not name.
///
/// Model lists are served from each upstream's catalogue, and each request refreshes the stale catalogues. A client
/// waits only for the first list of an upstream, for at most ``longestWait``.
package struct ModelDiscovery: Sendable {
    /// A function that calls a closure after a delay, on the event loop of the request.
    package typealias Delay = (Duration, @escaping @Sendable () -> Void) -> (any Cancellable)?

    private struct Source: Sendable {
        let upstream: Upstream
        let catalogue: CatalogueAccess
    }

    private let sources: [Source]
    private let models: ModelTable
    private let realtime: @Sendable () -> Int64

    /// Maximum time that a client waits for the first list of an upstream.
    static let longestWait = Duration.seconds(1)

    /// Creates the discovery for all upstreams that list their models.
    ///
    /// - Parameter definitions: all upstreams, including those without discovery.
    package init(_ definitions: [UpstreamDefinition], models: ModelTable, realtime: @escaping @Sendable () -> Int64) {
        self.models = models
        self.realtime = realtime
        sources = definitions.compactMap { definition in
            guard let catalogue = definition.catalogue,
                definition.configuration.listsModels(isNamedByPattern: models.hasPattern(to: definition.name))
            else { return nil }
            let upstream = Upstream(definition, timeouts: ModelListQuestion.timeouts, relaysRateLimits: false)
            return Source(upstream: upstream, catalogue: catalogue)
        }
    }

    /// Returns the discovered names that the caller may use, without duplicates and without configured names.
    package func names(for caller: ClientKey) -> [String] {
        var known: Set<ExactText> = []
        return sources.flatMap { source in
            var list: ListedModels?
            source.catalogue { list = $0.list }
            return (list?.names ?? []).filter {
                models.isServed($0, byPatternTo: source.upstream.name) && caller.allows(model: $0)
                    && known.insert(ExactText($0)).inserted
            }
        }
    }

    /// Returns the facts about a model that hold for all targets of its route.
    package func facts(of name: String, at route: ModelRoute?) -> ModelFacts {
        var facts = ModelFacts(common: (route?.targets ?? []).map { self.facts(of: $0.model ?? name, at: $0.upstream) })
        if let description = route?.description { facts.describe(description) }
        return facts
    }

    private func facts(of model: String, at upstream: Upstream) -> ModelFacts? {
        if upstream.isOnDevice {
            return ModelFacts(context: OnDeviceRules.context, takesImages: false, takesTools: upstream.takesTools())
        }
        guard let source = sources.first(where: { $0.upstream.name.isExactly(upstream.name) }) else { return nil }
        var list: ListedModels?
        source.catalogue { list = $0.list }
        return list?.facts(of: model)
    }

    /// Queries the upstreams that the caller may use and whose lists are stale. Runs on an event loop, in a task of the
    /// request.
    package func refresh(for caller: ClientKey, after delay: Delay) async {
        let mine = sources.filter { models.serves($0.upstream.name, caller) }
        for source in mine { ask(source) }
        await wait(for: mine, after: delay)
    }

    private func ask(_ source: Source) {
        var question: ModelCatalogue.Question?
        source.catalogue { [now = realtime()] in question = $0.ask(at: now) }
        guard let question else { return }
        ModelListQuestion(source.upstream, now: realtime) { [realtime] result in
            var waiters: [AsyncStream<Never>.Continuation] = []
            let list = (try? result.get()).map(ListedModels.init)
            source.catalogue { waiters = $0.settle(question, list, at: realtime()) }
            for waiter in waiters { waiter.finish() }
        }.start()
    }

    private func wait(for sources: [Source], after delay: Delay) async {
        var pending: [(source: Source, stream: AsyncStream<Never>, waiter: Int)] = []
        var continuations: [AsyncStream<Never>.Continuation] = []
        for source in sources {
            let (stream, continuation) = AsyncStream<Never>.makeStream()
            var waiter: Int?
            source.catalogue { waiter = $0.wait(continuation) }
            guard let waiter else { continue }
            pending.append((source, stream, waiter))
            continuations.append(continuation)
        }
        guard !pending.isEmpty else { return }
        let timer = delay(Self.longestWait) { [continuations] in
            for continuation in continuations { continuation.finish() }
        }
        for (source, stream, waiter) in pending {
            for await _ in stream {}
            source.catalogue { $0.leave(waiter) }
        }
        timer?.cancel()
    }
}

extension UpstreamConfiguration {
    /// Returns whether the gateway queries the upstream for its models. A program that the gateway runs is never
    /// queried, because the query would start it or keep it running.
    ///
    /// - Parameter isNamedByPattern: whether the upstream serves names that the configuration does not contain.
    package func listsModels(isNamedByPattern: Bool) -> Bool {
        guard command == nil, kind != .onDevice else { return false }
        // Azure lists the models that could be deployed, not the deployed ones.
        return discovers ?? (isNamedByPattern && kind != .azure)
    }
}
