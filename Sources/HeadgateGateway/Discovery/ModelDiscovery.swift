internal import HeadgateConfiguration
internal import HeadgateHTTP

/// The models that upstreams list themselves, for names that nobody wrote into the configuration.
///
/// Whoever lists the models makes the gateway ask, where what it knows is old, and is answered with what is known; only where nothing
/// has ever been learned it waits a moment.
struct ModelDiscovery: Sendable {
    typealias Sleep = @Sendable (Duration) async throws -> Void

    private struct Source: Sendable {
        let upstream: Upstream
        let catalogue: CatalogueAccess
    }

    private let sources: [Source]
    private let models: ModelTable
    private let realtime: @Sendable () -> Int64
    private let sleep: Sleep

    /// The longest that a client waits for a first list.
    static let longestWait = Duration.seconds(1)

    /// - Parameter definitions: all upstreams; those that are not to be asked are left out here.
    init(
        _ definitions: [UpstreamDefinition], models: ModelTable, realtime: @escaping @Sendable () -> Int64,
        sleep: @escaping Sleep
    ) {
        self.models = models
        self.realtime = realtime
        self.sleep = sleep
        sources = definitions.compactMap { definition in
            guard let catalogue = definition.catalogue,
                definition.configuration.listsModels(isNamedByPattern: models.hasPattern(to: definition.name))
            else { return nil }
            let upstream = Upstream(definition, timeouts: ModelListQuestion.timeouts, relaysRateLimits: false)
            return Source(upstream: upstream, catalogue: catalogue)
        }
    }

    /// The names that the caller may use, besides those of the configuration, each once.
    func names(for caller: any Caller) -> [String] {
        sources.flatMap { source in
            var names: [String] = []
            source.catalogue { names = $0.names }
            return ModelList.talkersFirst(
                names.filter { models.isServed($0, byPatternTo: source.upstream.name) && caller.allows(model: $0) })
        }
    }

    /// Asks upstreams that the caller may use and whose lists are old. On a loop, in a task of the request.
    func refresh(for caller: any Caller) async {
        let mine = sources.filter { models.serves($0.upstream.name, caller) }
        for source in mine { ask(source) }
        await wait(for: mine)
    }

    private func ask(_ source: Source) {
        var question: ModelCatalogue.Question?
        source.catalogue { [now = realtime()] in question = $0.ask(at: now) }
        guard let question else { return }
        ModelListQuestion(source.upstream) { [realtime] result in
            var waiters: [AsyncStream<Never>.Continuation] = []
            source.catalogue { waiters = $0.settle(question, try? result.get(), at: realtime()) }
            for waiter in waiters { waiter.finish() }
        }.start()
    }

    private func wait(for sources: [Source]) async {
        var pending: [(stream: AsyncStream<Never>, waiter: AsyncStream<Never>.Continuation)] = []
        for source in sources {
            let (stream, waiter) = AsyncStream<Never>.makeStream()
            var waits = false
            source.catalogue { waits = $0.wait(waiter) }
            if waits { pending.append((stream, waiter)) }
        }
        guard !pending.isEmpty else { return }
        let waiters = pending.map(\.waiter)
        let timer = Task { [sleep] in
            try? await sleep(Self.longestWait)
            for waiter in waiters { waiter.finish() }
        }
        for (stream, _) in pending { for await _ in stream {} }
        timer.cancel()
    }
}

extension UpstreamConfiguration {
    /// Whether the gateway is to ask it for its models. Programs of the gateway's own are never started, or kept running, for this.
    ///
    /// - Parameter isNamedByPattern: whether it serves names that the configuration does not hold.
    func listsModels(isNamedByPattern: Bool) -> Bool {
        guard command == nil, kind != .onDevice else { return false }
        // What Azure lists are models that could be deployed, not what is.
        return discovers ?? (isNamedByPattern && kind != .azure)
    }
}
