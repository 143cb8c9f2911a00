import HeadgateEventLoop
import HeadgateHTTP
import HeadgatePrimitives

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Middleware with weak references to the objects of requests. An object that still exists after its request has
/// leaked.
final class LivingObjects: RelayMiddleware, UpstreamMiddleware {
    private struct Weak: @unchecked Sendable {
        weak var object: AnyObject?
        let name: String
    }

    private let objects = Locked<[Weak]>([])

    private func note(_ object: AnyObject?) {
        guard let object else { return }
        objects.withLock { $0.append(Weak(object: object, name: "\(type(of: object))")) }
    }

    /// Number of objects seen.
    var count: Int { objects.withLock { $0.count } }
    /// Types of the objects that still exist.
    var names: [String] { objects.withLock { $0.compactMap { $0.object == nil ? nil : $0.name } } }

    /// Returns whether all objects are released after at most 1,000 turns of the loops.
    func areGone(from group: EventLoopGroup) async -> Bool {
        for _ in 0..<1000 where !names.isEmpty {
            for loop in group.loops { await Task(executorPreference: loop) { await Task.yield() }.value }
        }
        return names.isEmpty
    }

    func intercept(
        _ request: RelayRequest, next: RelayNext, completion: @escaping RequestHandler.Completion
    ) -> (any Cancellable)? {
        note(request.metadata)
        note(request.metadata.record)
        let call = next(request) { [self] result in
            if case .stream(let source)? = (try? result.get())?.body { note(source) }
            completion(result)
        }
        note(call)
        return call
    }

    func intercept(
        _ request: UpstreamRequest, next: UpstreamNext, completion: @escaping UpstreamCompletion
    ) -> (any Cancellable)? {
        let call = next(request) { [self] result in
            if case .stream(let source)? = (try? result.get())?.body { note(source) }
            completion(result)
        }
        note(call)
        return call
    }
}
