import HeadgateConfiguration
import HeadgateRelay
import HeadgateServer
import HeadgateService
import HeadgateTerminal

/// At most eight lines that are printed at the start: the gateway's addresses, its upstreams, and a request to try.
struct Banner {
    let configuration: Configuration
    let authentication: ClientAuthentication
    /// Bound addresses.
    let addresses: [ListenerSettings.Address]
    let budget: ConnectionBudget
    /// Source file of the configuration; nil if there is none.
    let place: ConfigurationPlace?

    private var endpoints: ListeningEndpoints {
        ListeningEndpoints(addresses: addresses, listeners: configuration.listeners)
    }

    var listening: [String] { endpoints.all }

    /// Six or seven lines. The request to try comes last, and can follow later.
    var lines: [String] {
        var lines = [
            "Headgate \(GatewayVersion.text) on \(listening.joined(separator: ", "))",
            "  configuration: \(place.map(Banner.text) ?? "no file, the environment's variables")",
            "  upstreams: \(upstreams)",
            "  access: \(access)",
            "  bounds: \(budget.downstream) connections (\(budget.reason)), \(configuration.limits.bodyMemoryText) of "
                + "request bodies, \(configuration.limits.eventText) per event; 'headgate check' has the rest",
        ]
        // Everything that is stored or sent elsewhere is listed here.
        let records = [
            configuration.record.map { "recordings: \(Banner.text($0))" },
            configuration.tracing.map { "traces: \(Banner.text($0))" },
            configuration.inspect.map {
                "inspection: admins read the last \($0.requests) prompts and answers on /status"
            },
        ].compactMap(\.self)
        if !records.isEmpty { lines.append("  \(records.joined(separator: "; "))") }
        return lines + ["  chat: 'headgate open' in the browser, 'headgate chat' here; apps: 'headgate setup'"]
    }

    private var upstreams: String {
        guard configuration.record?.mode != .replay else { return "none, as recordings answer" }
        let all = configuration.upstreams.map { "\($0.name) (\($0.baseURL?.text ?? "on this device"))" }
        let more = all.count - Banner.longestList
        return all.prefix(Banner.longestList).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    }

    private var access: String {
        switch authentication {
        case .keyless: return "no client key needed, as no upstream holds a secret"
        case .configured(let keys):
            let more = keys.count - Banner.longestList
            let names = keys.prefix(Banner.longestList).map(\.name).joined(separator: ", ")
            return "client keys \(names)\(more > 0 ? " and \(more) more" : "")"
        case .managed: return "managed client keys; 'headgate key add NAME' makes one"
        case .generated(_, let path): return "client key in \(path); 'headgate env' prints it for your shell"
        }
    }

    /// Maximum number of upstreams or keys that a line names, for readability.
    private static let longestList = 6

    private static func text(_ place: ConfigurationPlace) -> String {
        let note =
            switch place.naming {
            case .option: ""
            case .variable: ", from HEADGATE_CONFIG"
            case .found: ", found automatically"
            }
        return Neutralised.line(place.path) + note
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

    /// Returns a request to try, in one line.
    func curl(_ request: FirstRequest) -> String {
        let key: String? =
            switch endpoints.preferredNeedsKey ? authentication : .keyless {
            case .keyless: nil
            case .configured, .managed: "-H \"Authorization: Bearer $YOUR_KEY\""
            case .generated: "-H \"Authorization: Bearer $(headgate key show)\""
            }
        let url = "\(endpoints.preferred)/v1\(request.path)"
        let words = ["curl -N\(endpoints.curlOption) \(url)", key].compactMap(\.self) + request.options
        return "  \(request.title): \(words.joined(separator: " "))"
    }
}
