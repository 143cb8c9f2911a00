import HTTPTypes
import HeadgateContract
import HeadgateHTTP
import HeadgatePrimitives

@testable import HeadgateGateway
@testable import HeadgateRelay

/// A complete capability outside the gateway: everything it adds is in this file, and a gateway receives it as one
/// value.
struct Greeting: Sendable {
    /// Attempts and outcomes that the capability has seen.
    struct Counts: Sendable, Equatable {
        var attempts = 0
        var outcomes: [String] = []
    }

    static let operation = OperationDescription("getGreeting", .get, "/greeting", .key)

    /// The caller whose requests it refuses.
    let unwelcome: String
    let counts = Locked(Counts())

    var capability: Capability {
        var capability = Capability(name: "greeting")
        capability.gate = { [unwelcome] _, _ in GreetingGate(unwelcome: unwelcome) }
        capability.perRequest = { _, _ in GreetingFields() }
        capability.perAttempt = { [counts] _, _ in GreetedAttempts(counts: counts) }
        capability.observer = { [counts] _ in GreetingObserver(counts: counts) }
        capability.operations = [Greeting.operation]
        capability.handlers = { _ in
            [
                Greeting.operation.id: .immediate { _, metadata in
                    var output = JSONMembers(room: 64)
                    output.append("greeting", "Hello, \(metadata.caller.name)")
                    return ServerResponse(HTTPResponse(status: .ok), .bytes(output.end()))
                }
            ]
        }
        capability.readiness = { [counts] output in
            output.append("greeting") { $0.append("attempts", counts.withLock(\.attempts)) }
        }
        capability.metrics = { [counts] _, _ in
            [
                MetricFamily(
                    "greeting_attempts", .counter, help: "Attempts that were greeted.",
                    value: .count(counts.withLock(\.attempts)))
            ]
        }
        return capability
    }
}

private struct GreetingGate: ServerGate {
    let unwelcome: String

    func admit(_ request: RequestHead, metadata: ServerRequestMetadata, operationID: String) throws {
        if metadata.caller.name == unwelcome { throw GatewayError.notForThisKey }
    }
}

/// Adds the greeting as a response header.
private struct GreetingFields: RelayMiddleware {
    func intercept(
        _ request: RelayRequest, next: RelayNext, completion: @escaping RequestHandler.Completion
    ) -> (any Cancellable)? {
        next(request) { result in
            completion(
                result.map { response in
                    var greeted = response
                    greeted.head = Array("\r\nx-greeting: Hello".utf8).withUnsafeBufferPointer(
                        greeted.head.adding(lines:))
                    return greeted
                })
        }
    }
}

private struct GreetedAttempts: UpstreamMiddleware {
    let counts: Locked<Greeting.Counts>

    func intercept(
        _ request: UpstreamRequest, next: UpstreamNext, completion: @escaping UpstreamCompletion
    ) -> (any Cancellable)? {
        counts.withLock { $0.attempts += 1 }
        return next(request, completion: completion)
    }
}

private struct GreetingObserver: OutcomeObserver {
    let counts: Locked<Greeting.Counts>

    func observe(_ outcome: inout Outcome) {
        let operation = outcome.operation
        counts.withLock { $0.outcomes.append(operation) }
    }
}
