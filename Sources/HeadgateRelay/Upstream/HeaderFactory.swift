internal import HTTPTypes
package import HeadgateConfiguration

/// Makes the fields that identify the client to an upstream: `App-OS`, `Client-Id`, and those that the configuration
/// adds or overrides.
package struct HeaderFactory: Sendable {
    private let configured: [HeaderConfiguration]

    package init(configured: [HeaderConfiguration]) { self.configured = configured }

    /// Configured values win over the factory's own.
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
