// Generated from openapi.yaml by openapi-generator; do not edit.

extension Components.Schemas {
    public struct Root: Codable, Hashable, Sendable {
        public enum NamePayload: String, Codable, Hashable, Sendable, CaseIterable {
            case headgate
        }

        public var name: NamePayload
        public var version: String
        /// The path of the page.
        public var docs: String
        /// The path of this document.
        public var openapi: String

        public init(name: NamePayload = .headgate, version: String, docs: String, openapi: String) {
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
