import HeadgateCassettes
import HeadgateConfiguration
internal import HeadgateGateway
import HeadgateRelay

extension Configuration {
    /// Returns a configuration that serves only the recordings of a folder. It has each requested model, and no keys
    /// and no upstreams that are called.
    ///
    /// - Throws: ``Complaint``.
    static func replaying(_ folder: String, environment: [String: String]) throws -> Configuration {
        let cassettes = try CassetteFolder(folder).read().map(\.cassette)
        var formats: [String: Set<SpokenFormat>] = [:]
        for cassette in cassettes {
            // The recording's own note of the model has long names shortened.
            guard let name = cassette.request.body?.bytes.flatMap(RequestIdentity.model) ?? cassette.model,
                let model = served(name)
            else { continue }
            formats[model, default: []].formUnion(SpokenFormat(route: cassette.route).map { [$0] } ?? [])
        }
        guard !formats.isEmpty else {
            throw Complaint("record: no recording in \(folder) names a model", exitCode: .configuration)
        }
        var configuration = try parsed(text(formats), environment)
        configuration.record = RecordConfiguration(folder: folder, mode: .replay)
        // Recordings of an upstream that always gets the usage option contain it.
        configuration.record?.ignored = ["stream_options"]
        return configuration
    }

    /// Returns the name, or a pattern for it if the name is too long for a configuration, or has characters with
    /// another meaning there; nil if nothing is left of it.
    private static func served(_ name: String) -> String? {
        let plain = name.unicodeScalars.prefix { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) && $0 != "*" }
        let start = String(String.UnicodeScalarView(plain))
        if start.utf8.count == name.utf8.count, (1...256).contains(name.utf8.count) { return name }
        return start.isEmpty ? nil : Cassette.shortened(start, to: 255) + "*"
    }

    private static func parsed(_ text: String, _ environment: [String: String]) throws -> Configuration {
        do throws(ConfigurationError) {
            return try parse(
                text: text, file: "the recordings", environment: environment.filter { $0.key == "HEADGATE_LISTEN" })
        } catch {
            throw Complaint(error.issues.map(\.description).joined(separator: "\n"), exitCode: .configuration)
        }
    }

    /// Returns the text of the configuration. Models that were requested in the same formats share an upstream, so that
    /// no recording is translated that was not translated before.
    private static func text(_ models: [String: Set<SpokenFormat>]) -> String {
        var upstreams: [[String]: String] = [:]
        var text = "models:\n"
        for (model, formats) in models.sorted(by: { $0.key < $1.key }) {
            let spoken = formats.map(\.rawValue).sorted()
            let name = ["recorded"] + spoken
            upstreams[spoken] = name.joined(separator: "-")
            text += "  \(quoted(model)): {upstream: \(name.joined(separator: "-"))}\n"
        }
        text += "listen: 127.0.0.1:0\nupstreams:\n"
        for (spoken, name) in upstreams.sorted(by: { $0.value < $1.value }) {
            let kind = spoken == [SpokenFormat.messages.rawValue] ? "anthropic" : "openai"
            let formats = spoken.isEmpty ? [SpokenFormat.chat.rawValue] : spoken
            // Nothing ever connects to this address.
            text +=
                "  \(name): {kind: \(kind), base_url: \"http://127.0.0.1:9/v1\", "
                + "speaks: [\(formats.joined(separator: ", "))], discover: false}\n"
        }
        return text
    }

    /// Returns a name in YAML.
    private static func quoted(_ name: String) -> String {
        "'\(name.replacing("'", with: "''"))'"
    }
}

extension SpokenFormat {
    /// Returns nil for a route without a format.
    fileprivate init?(route: String) {
        let path = route.prefix { $0 != "?" }
        if path == "/chat/completions" {
            self = .chat
        } else if path == "/messages" || path.hasPrefix("/messages/") {
            self = .messages
        } else if path == "/responses" || path.hasPrefix("/responses/") {
            self = .responses
        } else {
            return nil
        }
    }
}
