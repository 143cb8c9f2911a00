internal import HTTPTypes
internal import HeadgateConfiguration

/// Makes the headers that identify the gateway to an upstream: `App-OS`, `Client-Id`, and the headers that the
/// configuration adds or overrides.
struct HeaderFactory: Sendable {
    private let configured: [HeaderConfiguration]

    init(configured: [HeaderConfiguration]) { self.configured = configured }

    /// Makes the headers. Configured values take precedence over the factory's own.
    func makeFields() -> HTTPFields {
        var fields: HTTPFields = [:]
        if let name = HTTPField.Name("App-OS") { fields[name] = HeaderFactory.operatingSystem }
        if let name = HTTPField.Name("Client-Id") { fields[name] = "headgate" }
        for header in configured {
            if let name = HTTPField.Name(header.name) { fields[name] = header.value }
        }
        return fields
    }

    #if os(macOS)
        private static let operatingSystem = "macos"
    #else
        private static let operatingSystem = "linux"
    #endif
}
