// Generated from openapi.yaml by openapi-generator; do not edit.

/// The input and the output of each operation.
public enum Operations {}

/// What operations share.
public enum Components {
    /// What Headgate itself reads and writes as JSON.
    public enum Schemas {}
    /// Answers of several operations.
    public enum Responses {}
    /// Headers, bodies and responses of several places.
    public enum Shared {}
}
