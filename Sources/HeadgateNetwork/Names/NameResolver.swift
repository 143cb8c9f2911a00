internal import CHeadgate
package import HeadgateEventLoop
internal import HeadgateLibC
internal import HeadgatePrimitives

/// Resolves names for every loop of the process. Loops never wait: lookups run on a few separate threads.
///
/// A name server that does not respond only delays its own names: each name has one lookup at a time for all callers,
/// by one of up to ``maximumThreads`` threads. A thread ends when its queue is empty, since lookups are rare.
package final class NameResolver: Sendable {
    /// Function that looks up a name. It blocks until there is a result.
    package typealias Lookup = @Sendable (_ name: String) -> Result<[IPAddress], NameError>
    package typealias Completion = (Result<[IPAddress], NameError>) -> Void

    private struct State {
        var cache: NameCache
        var waiting: [String: [Int: LoopBound<PendingName>]] = [:]
        var queue: [String] = []
        var threads = 0
        var nextID = 0
    }

    package static let maximumThreads = 8

    private let state: Locked<State>
    private let now: @Sendable () -> UInt64
    private let lookup: Lookup

    /// - Parameter now: returns monotonic nanoseconds, by which results age.
    package init(
        limits: NameCacheLimits = NameCacheLimits(),
        lookup: @escaping Lookup = { NameResolver.systemLookup($0) },
        now: @escaping @Sendable () -> UInt64 = { headgate_monotonic_nanoseconds() }
    ) {
        state = Locked(State(cache: NameCache(limits: limits)))
        self.now = now
        self.lookup = lookup
    }

    /// Resolves a host. Must be called on the loop.
    ///
    /// - Parameter completion: called once on the loop, unless the wait is cancelled. It is called before this returns
    ///   for an address, `localhost`, or a cached name. Addresses are in the order in which to try them.
    /// - Returns: the wait, if there is one.
    package func resolve(_ host: String, on loop: EventLoop, completion: @escaping Completion) -> PendingName? {
        if let known = NameResolver.addressesWithoutLookup(host) {
            completion(.success(known))
            return nil
        }
        let name = host.lowercased()
        let time = now()
        var pending: PendingName?
        let answer = state.withLock { state in
            let answer = state.cache.ask(name, at: time)
            if answer.begins { state.queue.append(name) }
            if case .unknown = answer {
                state.nextID += 1
                let wait = PendingName(resolver: self, name: name, id: state.nextID, completion: completion)
                state.waiting[name, default: [:]][state.nextID] = LoopBound(wait, on: loop)
                pending = wait
            }
            return answer
        }
        if answer.begins { startThread() }
        if case .known(let result, _) = answer { completion(result) }
        return pending
    }

    /// Returns the address itself, or this machine's for `localhost`, whatever a name server says (RFC 6761 section
    /// 6.3).
    private static func addressesWithoutLookup(_ host: String) -> [IPAddress]? {
        if let literal = IPAddress(host) { return [literal] }
        return HostName.isLocalhost(host) ? [.v4(0x7F00_0001), .v6(0, 1)] : nil
    }

    fileprivate func forget(_ id: Int, of name: String) {
        // The removed closure is released after the lock, since it can hold anything.
        _ = state.withLock { $0.waiting[name]?.removeValue(forKey: id) }
    }

    // MARK: Threads

    private func startThread() {
        let isAllowed = state.withLock { state in
            guard state.threads < NameResolver.maximumThreads else { return false }
            state.threads += 1
            return true
        }
        guard isAllowed else { return }
        do throws(ThreadShortage) {
            try HeadgateEventLoop.startThread(running: resolveNames, with: self).detach()
        } catch {
            failQueue("no thread is left to look it up: \(systemErrorText(error.error))")
        }
    }

    /// Fails the queued names that no running thread will resolve.
    private func failQueue(_ reason: String) {
        let names = state.withLock { state in
            state.threads -= 1
            guard state.threads == 0 else { return [String]() }
            defer { state.queue = [] }
            return state.queue
        }
        for name in names { finish(name, .failure(NameError(reason))) }
    }

    fileprivate func runLookups() {
        while let name = nextName() { finish(name, lookup(name)) }
    }

    private func nextName() -> String? {
        state.withLock { state in
            guard !state.queue.isEmpty else {
                state.threads -= 1
                return nil
            }
            return state.queue.removeFirst()
        }
    }

    private func finish(_ name: String, _ result: Result<[IPAddress], NameError>) {
        let time = now()
        let (told, waiting) = state.withLock { state in
            (state.cache.store(name, result, at: time), state.waiting.removeValue(forKey: name) ?? [:])
        }
        for wait in waiting.values {
            wait.loop.execute { wait.value.finish(told) }
        }
    }
}

/// Pending lookup of one caller. Loop-confined.
package final class PendingName {
    private let resolver: NameResolver
    private let name: String
    private let id: Int
    private var completion: NameResolver.Completion?

    fileprivate init(resolver: NameResolver, name: String, id: Int, completion: @escaping NameResolver.Completion) {
        self.resolver = resolver
        self.name = name
        self.id = id
        self.completion = completion
    }

    /// Cancels the wait. The completion is not called. The lookup itself continues, and its result is cached.
    package func cancel() {
        guard completion != nil else { return }
        completion = nil
        resolver.forget(id, of: name)
    }

    fileprivate func finish(_ result: Result<[IPAddress], NameError>) {
        completion.take()?(result)
    }
}

extension NameCache.Answer {
    fileprivate var begins: Bool {
        switch self {
        case .known(_, let begins), .unknown(let begins): begins
        }
    }
}

private func resolveNames(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<NameResolver>.fromOpaque(context).takeRetainedValue().runLookups()
    return nil
}

/// Properties of a configured host that need no lookup.
package enum HostName {
    /// Returns whether a host is `localhost`, a name below it (RFC 6761), or a loopback address.
    package static func isLoopback(_ host: String) -> Bool {
        isLocalhost(host) || IPAddress(host)?.isLoopback == true
    }

    static func isLocalhost(_ host: String) -> Bool {
        var name = host.lowercased()
        if name.hasSuffix(".") { name.removeLast() }
        return name == "localhost" || name.hasSuffix(".localhost")
    }

    /// Returns whether a host can be looked up and written into a request: it contains nothing that would end a line, a
    /// C string or an authority early.
    static func isWellFormed(_ host: String) -> Bool {
        (1...253).contains(host.utf8.count)
            && host.utf8.allSatisfy { (0x21...0x7E).contains($0) && !HostName.delimiters.contains($0) }
    }

    private static let delimiters = Array("/?#@\\[]\"<>%".utf8)
}

/// Error for a name without an address.
package struct NameError: Error, Hashable, Sendable {
    /// The system's message, such as "Name or service not known".
    package let text: String

    package init(_ text: String) { self.text = text }
}

extension NameResolver {
    /// Looks up a name with `getaddrinfo`, which knows the hosts file, the search domains and the name servers of this
    /// system. Blocks for as long as they take.
    package static func systemLookup(_ name: String) -> Result<[IPAddress], NameError> {
        var found = [headgate_address](repeating: headgate_address(), count: 32)
        var problem = [CChar](repeating: 0, count: 128)
        let count = headgate_resolve(name, &found, Int32(found.count), &problem, problem.count)
        guard count >= 0 else {
            return .failure(
                NameError(problem.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }))
        }
        return .success(found.prefix(Int(count)).map { IPAddress($0) })
    }
}
