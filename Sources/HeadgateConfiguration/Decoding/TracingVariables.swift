internal import HeadgatePrimitives

/// OpenTelemetry's variables for trace exporters. Those for traces alone come before those for all signals.
enum TracingVariables {
    static let endpoints = ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"]
    static let headers = ["OTEL_EXPORTER_OTLP_TRACES_HEADERS", "OTEL_EXPORTER_OTLP_HEADERS"]
    static let timeouts = ["OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", "OTEL_EXPORTER_OTLP_TIMEOUT"]
    static let compressions = ["OTEL_EXPORTER_OTLP_TRACES_COMPRESSION", "OTEL_EXPORTER_OTLP_COMPRESSION"]
    static let protocols = ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"]
    static let service = "OTEL_SERVICE_NAME"
    static let resource = "OTEL_RESOURCE_ATTRIBUTES"
    static let sampler = "OTEL_TRACES_SAMPLER"
    static let samplerArgument = "OTEL_TRACES_SAMPLER_ARG"
    static let disabled = "OTEL_SDK_DISABLED"
    /// Variables that turn traces off.
    static let off = [disabled, "OTEL_TRACES_EXPORTER"]

    static let expectedURL = "a URL such as http://127.0.0.1:4318 or https://collector.example.com"

    /// Parses the URL to which spans are sent.
    ///
    /// - Parameter addsPath: Whether the URL is that of the collector, without the path for traces.
    static func endpoint(_ text: String, addsPath: Bool) throws(InvalidValue) -> UpstreamURL {
        guard text.hasPrefix("http://") || text.hasPrefix("https://") else {
            throw InvalidValue("expected \(expectedURL)")
        }
        // Plain HTTP is allowed, because few users have a certificate for their own collector.
        let url = try UpstreamURL(parsing: text, allowingPlainHTTP: true)
        let path = "/v1/traces"
        return addsPath && !url.pathPrefix.hasSuffix(path) ? url.with(pathPrefix: url.pathPrefix + path) : url
    }

    static func duration(_ text: String) throws(InvalidValue) -> Duration {
        .milliseconds(try WholeNumber.parse(text, in: 1...86_400_000))
    }

    static func count(_ text: String) throws(InvalidValue) -> Int { try WholeNumber.parse(text, in: 1...1_000_000) }

    static func fraction(_ text: String) throws(InvalidValue) -> Double { try Fraction.parse(text) }

    static func compression(_ text: String) throws(InvalidValue) -> TracingConfiguration.Compression {
        guard let compression = TracingConfiguration.Compression(rawValue: text) else {
            throw InvalidValue("expected gzip or none")
        }
        return compression
    }

    /// Checks the name or the value of an attribute.
    static func attribute(_ text: String) throws(InvalidValue) -> String {
        guard (1...1024).contains(text.utf8.count), !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            throw InvalidValue("expected text of 1 to 1024 bytes, without control characters")
        }
        return text
    }

    /// - Parameter argument: Ratio of the samplers that have one.
    static func sampling(_ name: String, argument: Double?) throws(InvalidValue) -> TraceSampling {
        let begins = name.hasPrefix("parentbased_")
        switch begins ? String(name.dropFirst("parentbased_".count)) : name {
        case "always_on": return TraceSampling(ratio: 1, followsCallers: begins)
        case "always_off": return TraceSampling(ratio: 0, followsCallers: begins)
        case "traceidratio": return TraceSampling(ratio: argument ?? 1, followsCallers: begins)
        default:
            throw InvalidValue("expected always_on, always_off or traceidratio, or one of these behind parentbased_")
        }
    }
}

extension UpstreamURL {
    /// Placeholder for a URL that could not be read, which is an issue.
    static let unknownCollector = UpstreamURL(
        scheme: .http, host: "localhost", port: 4318, socketPath: nil, pathPrefix: "/v1/traces")
}
