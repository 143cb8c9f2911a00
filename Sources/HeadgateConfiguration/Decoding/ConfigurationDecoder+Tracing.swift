extension ConfigurationDecoder {
    /// Reads the tracing settings; nil if nothing is traced. OpenTelemetry's variables apply too. The file takes
    /// precedence, except over the two variables that turn traces off.
    mutating func tracing(in file: Fields) -> TracingConfiguration? {
        let isAsked = file["tracing"] != nil || TracingVariables.endpoints.contains { variable($0) != nil }
        guard isAsked else { return nil }
        let fields = section("tracing", of: file, as: .tracing)
        let endpoint = tracingEndpoint(in: fields)
        var tracing = TracingConfiguration(endpoint: endpoint ?? .unknownCollector)
        tracing.sampling = sampling(in: fields)
        if let content = flag("content", of: fields) { tracing.hasContent = content }
        tracing.service = serviceName(in: fields)
        tracing.resource = resource()
        tracing.headers = exportHeaders(in: fields)
        let timeout = setting("timeout", of: fields, variables: TracingVariables.timeouts, TracingVariables.duration) {
            $0.duration("timeout", of: fields)
        }
        if let timeout { tracing.timeout = timeout }
        let compression = setting(
            "compression", of: fields, variables: TracingVariables.compressions, TracingVariables.compression
        ) { $0.choice("compression", of: fields, as: TracingConfiguration.Compression.self) }
        if let compression { tracing.compression = compression }
        tracing.batching = batching()
        checkProtocol(isFromEnvironment: fields["otlp"] == nil)
        warnOfClearHeaders(tracing, at: fields["headers"]?.keyPosition)
        if let variable = TracingVariables.off.first(where: { isOff(by: $0) }) {
            if file["tracing"] != nil {
                warnings.add("\(variable) turns off what 'tracing' asks for: no spans are sent", at: nil)
            }
            return nil
        }
        return endpoint == nil ? nil : tracing
    }

    private func variable(_ name: String) -> String? {
        // By OpenTelemetry's specification, an empty variable counts as unset.
        environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    private func isOff(by name: String) -> Bool {
        variable(name)?.lowercased() == (name == TracingVariables.disabled ? "true" : "none")
    }

    /// Reads a setting from the file, or else from the first variable that is set and valid, or else returns the
    /// default.
    private mutating func setting<Value>(
        _ key: String, of fields: Fields, variables: [String],
        _ parse: (String) throws(InvalidValue) -> Value, fromFile: (inout ConfigurationDecoder) -> Value?
    ) -> Value? {
        if fields[key] == nil, fields.lacks(key) {
            for name in variables {
                if let value = lenient(name, at: fields.path.key(key), parse) { return value }
            }
        }
        return fromFile(&self)
    }

    /// Reads a variable. By the specification, an invalid one has no effect and causes a warning.
    private mutating func lenient<Value>(
        _ name: String, at path: SettingPath? = nil, isSecret: Bool = false,
        _ parse: (String) throws(InvalidValue) -> Value
    ) -> Value? {
        guard let text = variable(name) else { return nil }
        if isSecret { secretVariables.insert(name) }
        do throws(InvalidValue) {
            let value = try parse(text)
            if let path {
                settings?.record(
                    path, isSecret ? redactedText : text, origin: Self.origin(ofVariables: [name]))
            }
            return value
        } catch {
            warnings.add("\(name) has no effect: \(error.message)", at: nil)
            return nil
        }
    }

    // MARK: Endpoint

    private mutating func tracingEndpoint(in fields: Fields) -> UpstreamURL? {
        let path = fields.path.key("otlp")
        guard fields["otlp"] == nil, fields.lacks("otlp") else {
            return value("otlp", of: fields, as: TracingVariables.expectedURL) { (text) throws(InvalidValue) in
                try TracingVariables.endpoint(text, addsPath: true)
            }
        }
        for (index, name) in TracingVariables.endpoints.enumerated() where variable(name) != nil {
            // The variable for traces alone contains the complete URL.
            return variable(name, at: path) { (text) throws(InvalidValue) in
                try TracingVariables.endpoint(text, addsPath: index > 0)
            }
        }
        settings?.record(path, TracingConfiguration.standardEndpoint, origin: SettingList.standardOrigin)
        return try? TracingVariables.endpoint(TracingConfiguration.standardEndpoint, addsPath: true)
    }

    private mutating func exportHeaders(in fields: Fields) -> [HeaderConfiguration] {
        let path = fields.path.key("headers")
        guard let entry = fields["headers"] else {
            guard fields.lacks("headers") else { return [] }
            for name in TracingVariables.headers {
                let read = lenient(name, at: path, isSecret: true) { (text) throws(InvalidValue) in
                    try AttributeList.parse(text).map { (pair) throws(InvalidValue) in
                        try HeaderConfiguration.checkExportName(pair.name)
                        return HeaderConfiguration(
                            name: pair.name, value: try HeaderConfiguration.checkValue(pair.value))
                    }
                }
                if let read { return read }
            }
            recordStandard("headers", of: fields)
            return []
        }
        var headers: [HeaderConfiguration] = []
        for entry in mapping(entry.value, place: "headers", of: "header names to values") ?? [] {
            let place = "header \(quoted(entry.key))"
            do throws(InvalidValue) {
                try HeaderConfiguration.checkExportName(entry.key)
            } catch {
                issues.add("\(place): \(error.message)", at: entry.keyPosition)
            }
            let value = secret(entry.value, in: place, as: "text", at: path.key(entry.key)) {
                (text) throws(InvalidValue) in try HeaderConfiguration.checkValue(text)
            }
            if let value { headers.append(HeaderConfiguration(name: entry.key, value: value)) }
        }
        return headers
    }

    private mutating func warnOfClearHeaders(_ tracing: TracingConfiguration, at position: SourcePosition?) {
        let url = tracing.endpoint
        guard url.scheme == .http, !url.isLoopback, !tracing.headers.isEmpty || tracing.hasContent else { return }
        warnings.add(
            "tracing: \(tracing.headers.isEmpty ? "prompts" : "headers") travel to \(url.host) in the clear: write "
                + "https:// if the collector has TLS",
            at: position)
    }

    private mutating func checkProtocol(isFromEnvironment: Bool) {
        guard let name = TracingVariables.protocols.first(where: { variable($0) != nil }),
            let text = variable(name), text != "http/json"
        else { return }
        guard isFromEnvironment, text != "http/protobuf" else {
            warnings.add("\(name) has no effect: spans are sent as http/json", at: nil)
            return
        }
        issues.add(
            "\(name): found \(quoted(text)), but spans are sent as http/json alone: set it to http/json, and the "
                + "endpoint to the collector's port for OTLP over HTTP (4318 by default)",
            at: nil)
    }

    // MARK: Spans

    private mutating func sampling(in fields: Fields) -> TraceSampling {
        let path = fields.path.key("sample")
        if fields["sample"] == nil, fields.lacks("sample"), let sampler = variable(TracingVariables.sampler) {
            let argument = lenient(TracingVariables.samplerArgument, TracingVariables.fraction)
            let sampling = lenient(TracingVariables.sampler) { (text) throws(InvalidValue) in
                try TracingVariables.sampling(text, argument: argument)
            }
            if let sampling {
                let origin = Self.origin(ofVariables: [TracingVariables.sampler])
                settings?.record(path, sampler, origin: origin)
                return sampling
            }
        }
        let ratio = value("sample", of: fields, as: Fraction.expected) { (text) throws(InvalidValue) in
            try Fraction.parse(text)
        }
        return TraceSampling(ratio: ratio ?? 1)
    }

    private mutating func serviceName(in fields: Fields) -> String {
        let name = setting(
            "service", of: fields, variables: [TracingVariables.service],
            { (text) throws(InvalidValue) in try TracingVariables.attribute(text) },
            fromFile: {
                $0.value("service", of: fields, as: "a name") { (text) throws(InvalidValue) in
                    try TracingVariables.attribute(text)
                }
            })
        return name ?? TracingConfiguration.standardService
    }

    private mutating func resource() -> [ResourceAttribute] {
        let pairs = lenient(TracingVariables.resource) { (text) throws(InvalidValue) in
            try AttributeList.parse(text).map { (pair) throws(InvalidValue) in
                ResourceAttribute(
                    name: try TracingVariables.attribute(pair.name), value: try TracingVariables.attribute(pair.value))
            }
        }
        // The service name has its own setting.
        return (pairs ?? []).filter { $0.name != "service.name" }
    }

    private mutating func batching() -> SpanBatching {
        var batching = SpanBatching()
        if let delay = lenient("OTEL_BSP_SCHEDULE_DELAY", TracingVariables.duration) { batching.delay = delay }
        if let queue = lenient("OTEL_BSP_MAX_QUEUE_SIZE", TracingVariables.count) { batching.queue = queue }
        if let batch = lenient("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", TracingVariables.count) { batching.batch = batch }
        if let patience = lenient("OTEL_BSP_EXPORT_TIMEOUT", TracingVariables.duration) { batching.patience = patience }
        batching.batch = min(batching.batch, batching.queue)
        return batching
    }
}
