internal import HTTPTypes
internal import HeadgateContract
internal import HeadgateHTTP
internal import HeadgateRelay

/// Watch over the load on the loops of a gateway.
package protocol LoadWatch: Sendable {
    /// Returns whether the current loop has more work than it can do. Called on the loop of a new request.
    func refuses() -> Bool
    /// Number of requests that were refused since the start.
    var refusals: Int { get }
}

/// Gate that refuses requests for models while their loop has more work than it can do, so that requests in flight are
/// finished first.
struct OverloadGate: ServerGate {
    let watch: any LoadWatch

    func admit(_: RequestHead, metadata _: ServerRequestMetadata, operationID _: String) throws {
        if watch.refuses() { throw GatewayError.overloaded }
    }
}

extension Capability {
    /// Returns the capability, whose gate comes before authentication, because that takes time as well. Health, status,
    /// metrics and keys are always admitted.
    static func overload(_ watch: (any LoadWatch)?) -> Capability {
        var overload = Capability(name: "overload")
        overload.arrival = { _, operation in
            guard let watch, operation?.relay != nil else { return nil }
            return OverloadGate(watch: watch)
        }
        overload.metrics = { _, _ in
            guard let watch else { return [] }
            return [
                MetricFamily(
                    "headgate_overload_refusals", .counter, help: "Requests refused because a loop was overloaded.",
                    value: .count(watch.refusals))
            ]
        }
        return overload
    }
}
