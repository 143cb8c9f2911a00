// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    package struct Root: Codable, Hashable, Sendable {
        package enum NamePayload: String, Codable, Hashable, Sendable, CaseIterable {
            case headgate
        }

        package var name: NamePayload
        package var version: String
        /// The path of the page.
        package var docs: String
        /// The path of this document.
        package var openapi: String

        package init(name: NamePayload = .headgate, version: String, docs: String, openapi: String) {
            self.name = name
            self.version = version
            self.docs = docs
            self.openapi = openapi
        }

        private enum CodingKeys: String, CodingKey {
            case name
            case version
            case docs
            case openapi
        }
    }
}
