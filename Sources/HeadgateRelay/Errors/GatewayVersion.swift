/// Version of the gateway and of its `openapi.yaml`.
package enum GatewayVersion {
    package static let text = "0.1.0"
}
