/// One value that the gateway works with and where it comes from, for people to read.
package struct EffectiveSetting: Sendable, Equatable {
    /// Such as `upstreams.openai.base_url` or `listen[0].address`.
    package let path: String
    /// `<redacted>` for keys and header values.
    package let value: String
    /// `headgate.yaml:12`, `environment NAME`, `environment NAME (headgate.yaml:12)`,
    /// `file /run/secrets/key (headgate.yaml:9)`, `credential NAME (headgate.yaml:9)` or `default`.
    package let origin: String
}
