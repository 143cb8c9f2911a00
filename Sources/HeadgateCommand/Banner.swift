import HeadgateConfiguration
import HeadgateGateway

/// What a start prints: where the gateway is, what is behind it, and a line to paste.
struct Banner {
    let configuration: Configuration
    let authentication: ClientAuthentication
    let port: UInt16
    let connectionLimit: Int
    let models: [String]

    var baseURL: String { "http://\(host):\(port)" }

    private var host: String {
        switch configuration.listen.host {
        case "0.0.0.0": "127.0.0.1"
        case "::": "[::1]"
        case let host: host.contains(":") ? "[\(host)]" : host
        }
    }

    var lines: [String] {
        // Per connection: a head, what may be sent ahead, and the queues of both directions.
        let ceiling = connectionLimit * (16 + 64 + 2 * 256) / 1024
        var lines = [
            "Headgate 0.1.0 on \(baseURL) (up to \(connectionLimit) connections, \(ceiling) MiB of buffers if all are slow)"
        ]
        for upstream in configuration.upstreams {
            let place = upstream.baseURL?.text ?? "a model on this device"
            lines.append("  upstream \(upstream.name): \(place)")
        }
        let patterns = configuration.models.filter(\.isPattern).map(\.name)
        lines.append("  models: \((models + patterns).joined(separator: ", "))")
        switch authentication {
        case .keyless: lines.append("  no client key needed: no upstream holds a secret")
        case .configured(let keys): lines.append("  client keys: \(keys.map(\.name).joined(separator: ", "))")
        case .generated: lines.append("  client key: made for you; 'headgate env' prints it for your shell")
        }
        return lines
    }

    /// A request that works as it stands.
    var curl: [String] {
        let model =
            models.first ?? configuration.models.first.map { $0.name == "*" ? "gpt-4.1-nano" : $0.name } ?? "MODEL"
        var lines = ["Try it:", "  curl -N \(baseURL)/v1/chat/completions \\"]
        switch authentication {
        case .keyless: break
        case .configured: lines.append("    -H \"Authorization: Bearer $YOUR_KEY\" \\")
        case .generated: lines.append("    -H \"Authorization: Bearer $(headgate key show)\" \\")
        }
        lines.append("    -H 'Content-Type: application/json' \\")
        lines.append(
            "    -d '{\"model\":\"\(model)\",\"stream\":true,\"messages\":[{\"role\":\"user\",\"content\":\"Say hello.\"}]}'"
        )
        return lines
    }
}

extension UpstreamURL {
    /// As it is written in a configuration.
    var text: String {
        switch scheme {
        case .unix: "unix:\(socketPath ?? ""):\(pathPrefix)"
        case .http, .https: "\(scheme.rawValue)://\(host.contains(":") ? "[\(host)]" : host):\(port)\(pathPrefix)"
        }
    }
}

extension Configuration {
    /// What is configured and cannot work yet, or never, one line each.
    var warnings: [String] {
        upstreams.compactMap { upstream in
            guard let url = upstream.baseURL, case .https = url.scheme else { return nil }
            return
                "the upstream '\(upstream.name)' is reached over https, which this version cannot speak yet: its requests "
                + "are answered with 502 upstream_tls"
        }
    }

    /// An upstream that is the gateway itself, which would answer a request by asking itself until the connection limit.
    var upstreamThatIsTheGateway: String? {
        upstreams.first { upstream in
            guard let url = upstream.baseURL, case .http = url.scheme, listen.port != 0 else { return false }
            return url.port == listen.port
        }?.name
    }
}
