internal import HTTPTypes
internal import HeadgateHTTP
internal import Synchronization

/// Whether the gateway takes new requests; false from the start of a shutdown.
package final class Readiness: Sendable {
    private let draining = Atomic<Bool>(false)

    package init() {}

    package var isDraining: Bool { draining.load(ordering: .relaxed) }
    package func beginDraining() { draining.store(true, ordering: .relaxed) }
}

/// `/livez`, `/readyz` and `/healthz`: no key, no upstream call, no data.
struct HealthHandlers: Sendable {
    let readiness: Readiness

    func livenessResponse() -> ServerResponse { HealthHandlers.response(.ok, "ok") }

    func readinessResponse() -> ServerResponse {
        readiness.isDraining
            ? HealthHandlers.response(.serviceUnavailable, "draining") : HealthHandlers.response(.ok, "ok")
    }

    private static func response(_ status: HTTPResponse.Status, _ word: String) -> ServerResponse {
        let fields: HTTPFields = [.contentType: "application/json", .cacheControl: "no-store"]
        return ServerResponse(
            HTTPResponse(status: status, headerFields: fields), .bytes(Array("{\"status\":\"\(word)\"}".utf8)))
    }
}
