internal import HeadgateConfiguration
internal import HeadgateDialects
internal import HeadgateRelay

/// Description of a managed key for the command line.
package struct KeyReport {
    private let document: KeyDocument

    /// - Parameter now: seconds since 1970.
    package init(_ key: ManagedKey, at now: Int64) {
        document = KeyDocument(key, beside: [], groups: nil, at: now)
    }

    private init(_ document: KeyDocument) { self.document = document }

    package func showing(_ key: String) -> KeyReport { KeyReport(document.showing(key)) }

    /// Key as in responses of `/v1/admin/keys`.
    package var json: String { String(decoding: document.json, as: UTF8.self) }

    package static func list(_ keys: [ManagedKey], at now: Int64) -> String {
        let documents = keys.map { KeyDocument($0, beside: [], groups: nil, at: now) }
        return String(decoding: KeyDocument.list(documents, hasMore: false), as: UTF8.self)
    }

    package var created: String { day("created") }

    /// Day of expiry, or `expired`; empty for a key that does not expire.
    package var expiry: String { document.members["is_expired"]?.bool == true ? "expired" : day("expires") }

    package var models: String {
        (document.members["models"]?.array ?? []).compactMap(\.string).joined(separator: ",")
    }

    /// Further settings in one line.
    package var settings: String {
        let admin = document.members["admin"]?.bool == true ? ["admin"] : []
        let others = otherSettings.map { "\($0.name)=\($0.value)" }
        return (admin + others).joined(separator: " ")
    }

    /// All facts and settings, in the order of the output.
    package var facts: [(name: String, value: String)] {
        [
            ("name", document.members["name"]?.string ?? ""), ("models", models),
            ("admin", document.members["admin"]?.bool == true ? "yes" : "no"),
            ("created", document.members["created"]?.string ?? ""),
            ("expires", document.members["expires"]?.string ?? "never"),
            ("expired", document.members["is_expired"]?.bool == true ? "yes" : ""),
            ("key before the last rotation until", document.members["former_until"]?.string ?? ""),
        ] + otherSettings
    }

    private var otherSettings: [(name: String, value: String)] {
        let settings = document.members.members.filter { !KeyDocument.facts.contains($0.name) }
        return settings.map { ($0.name, $0.value.string ?? $0.value.text) }
    }

    private func day(_ name: String) -> String { String((document.members[name]?.string ?? "").prefix(10)) }

    /// Formats a time as in RFC 3339.
    ///
    /// - Parameter seconds: seconds since 1970.
    package static func dateTime(_ seconds: Int64) -> String { KeyDocument.time(seconds) }
}
