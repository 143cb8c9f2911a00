// Generated from openapi.yaml by openapi-generator; do not edit.

/// The document that this module was generated from.
package enum OpenAPIDocument {
    /// As it was written.
    package static let yaml = [yaml1, yaml2, yaml3, yaml4, yaml5, yaml6, yaml7, yaml8, yaml9].joined(separator: "\n")
    /// The same as JSON.
    package static let json = [json1].joined(separator: "\n")
}
