/// Version of the gateway, which is that of its `openapi.yaml`.
package enum GatewayVersion {
    package static let text = "0.1.0"
}
