import HeadgateConfiguration
import HeadgateRelay
import HeadgateServer
import HeadgateService
import HeadgateTerminal

/// What a start prints: where the gateway is, what is behind it, and a line to paste.
struct Banner {
    let configuration: Configuration
    let authentication: ClientAuthentication
    /// As bound.
    let addresses: [ListenerSettings.Address]
    let budget: ConnectionBudget
    let models: [String]
    /// The file that the configuration was read from, if there is one.
    let place: ConfigurationPlace?

    private var endpoints: ListeningEndpoints {
        ListeningEndpoints(addresses: addresses, listeners: configuration.listeners)
    }

    var listening: [String] { endpoints.all }

    var lines: [String] {
        var lines = [
            "Headgate \(GatewayVersion.text) on \(listening.joined(separator: ", "))",
            "  up to \(budget.downstream) connections (\(budget.reason)); "
                + configuration.limits.memoryCeiling(connections: budget.downstream),
        ]
        if let place { lines.append("  configuration: \(Neutralised.line(place.path))\(Banner.note(place))") }
        if let record = configuration.record { lines.append("  recordings: \(Banner.text(record))") }
        for upstream in configuration.upstreams where configuration.record?.mode != .replay {
            let place = upstream.baseURL?.text ?? "a model on this device"
            lines.append("  upstream \(upstream.name): \(place)")
        }
        if let tracing = configuration.tracing { lines.append("  traces: \(Banner.text(tracing))") }
        let patterns = configuration.models.filter(\.isPattern).map(\.name)
        lines.append("  models: \((models + patterns).joined(separator: ", "))")
        switch authentication {
        case .keyless: lines.append("  no client key needed: no upstream holds a secret")
        case .configured(let keys): lines.append("  client keys: \(keys.map(\.name).joined(separator: ", "))")
        case .managed: lines.append("  client keys: managed ones; 'headgate key add NAME' makes one")
        case .generated(_, let path): lines.append("  client key: in \(path); 'headgate env' prints it for your shell")
        }
        return lines
    }

    private static func note(_ place: ConfigurationPlace) -> String {
        switch place.naming {
        case .option: ""
        case .variable: ", from HEADGATE_CONFIG"
        case .found: ", found by itself"
        }
    }

    private static func text(_ record: RecordConfiguration) -> String {
        switch record.mode {
        case .record: "every exchange with an upstream is written to \(record.folder)"
        case .replay: "answers come from \(record.folder), and nothing is sent"
        case .recordOnMiss: "answers come from \(record.folder); what it lacks is sent, and written there"
        }
    }

    private static func text(_ tracing: TracingConfiguration) -> String {
        let share = tracing.sampling.ratio < 1 ? ", of a share of \(tracing.sampling.ratio) of the requests" : ""
        return "spans go to \(tracing.endpoint)\(share)\(tracing.hasContent ? ", with prompts and answers" : "")"
    }

    /// A request to paste.
    func curl(_ request: FirstRequest) -> [String] {
        var lines = [
            request.title, "  curl -N\(endpoints.curlOption) \(endpoints.preferred)/v1\(request.path) \\",
        ]
        switch endpoints.preferredNeedsKey ? authentication : .keyless {
        case .keyless: break
        case .configured, .managed: lines.append("    -H \"Authorization: Bearer $YOUR_KEY\" \\")
        case .generated: lines.append("    -H \"Authorization: Bearer $(headgate key show)\" \\")
        }
        return lines + ["    " + request.options.joined(separator: " \\\n    ")]
    }
}
