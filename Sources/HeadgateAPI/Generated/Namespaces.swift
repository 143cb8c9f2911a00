// Generated from openapi.yaml by openapi-generator; do not edit.

/// The input and the output of each operation.
package enum Operations {}

/// What operations share.
package enum Components {
    /// What Headgate itself reads and writes as JSON.
    package enum Schemas {}
    /// Answers of several operations.
    package enum Responses {}
}
