internal import HTTPTypes
internal import HeadgateDialects
internal import HeadgateHTTP
internal import HeadgatePrimitives
internal import HeadgateRelay

/// Public models in the form that Ollama clients expect.
struct OllamaModels: Sendable {
    let names: OllamaNames
    /// Load time of this configuration, in seconds since 1970. Models report it, because their own times are not known.
    let created: Int64

    /// Version of Ollama's API that this resembles. Clients do not require a newer one.
    static let version = "0.12.6"
    /// Expiry time of a model: the gateway never unloads one.
    private static let never = "2262-01-01T00:00:00Z"

    private var models: ModelTable { names.models }

    // MARK: Documents

    static var versionResponse: ServerResponse {
        response(["version": .string(version), "headgate": .string(GatewayVersion.text)])
    }

    /// Lists the models that a caller may use.
    ///
    /// - Parameter delay: limits the wait for upstreams.
    func list(for caller: ClientKey, after delay: ModelDiscovery.Delay) async -> ServerResponse {
        await names.discovery.refresh(for: caller, after: delay)
        let all = models.names.filter(caller.allows(model:)) + names.discovery.names(for: caller)
        return Self.response(["models": .array(all.map(listed))])
    }

    /// Lists the models on this machine. The gateway does not know whether they are loaded.
    func running(for caller: ClientKey) -> ServerResponse {
        let local = models.names.filter { name in
            caller.allows(model: name) && models.route(of: name)?.targets.contains { $0.limits.isLocal } == true
        }
        return Self.response(["models": .array(local.map(running))])
    }

    private func listed(_ name: String) -> JSONValue {
        [
            "name": .string(name), "model": .string(name), "modified_at": modified, "size": 0,
            "digest": Self.digest(of: name), "details": details(of: name),
            "capabilities": .array(capabilities(of: name).map(JSONValue.string)),
        ]
    }

    private func running(_ name: String) -> JSONValue {
        var model: JSONObject = [
            "name": .string(name), "model": .string(name), "size": 0, "digest": Self.digest(of: name),
            "details": details(of: name), "expires_at": .string(Self.never), "size_vram": 0,
        ]
        if let context = facts(of: name).context { model["context_length"] = .integer(context) }
        return .object(model)
    }

    /// Describes the model that a request names.
    ///
    /// - Throws: ``GatewayError`` for an invalid request, and for a model that the caller cannot use.
    func shown(_ body: [UInt8], to caller: ClientKey) throws(GatewayError) -> ServerResponse {
        guard let request = (try? JSONValue(body))?.object else {
            throw .invalidRequest(400, "The request body is not a JSON object.", code: "invalid_json")
        }
        guard let asked = request["model"]?.string ?? request["name"]?.string, !asked.isEmpty else {
            throw .invalidRequest(
                400, "The member 'model' is missing: name a model as a string.", parameter: "model")
        }
        let name = names.resolved(asked, for: caller)
        guard models.route(of: name) != nil, caller.allows(model: name) else { throw .unknownModel(asked) }
        var information: JSONObject = [
            "general.architecture": .string(Self.architecture), "general.basename": .string(name),
        ]
        if let context = facts(of: name).context {
            information["\(Self.architecture).context_length"] = .integer(context)
        }
        return Self.response([
            "license": "", "modelfile": "", "parameters": "", "template": "", "modified_at": modified,
            "details": details(of: name), "model_info": .object(information),
            "capabilities": .array(capabilities(of: name).map(JSONValue.string)),
        ])
    }

    // MARK: Facts about a model

    /// Architecture name, which clients use as a prefix of other keys. The model's real architecture is not known.
    private static let architecture = "headgate"

    private var modified: JSONValue { .string(Timestamp.dateTime(created)) }

    private static func digest(of name: String) -> JSONValue {
        .string(KeyDigest(of: Array(name.utf8)).hexadecimal)
    }

    private func details(of name: String) -> JSONValue {
        let family = JSONValue.string(models.route(of: name)?.targets[0].upstream.name ?? "headgate")
        var details: JSONObject = [
            "parent_model": "", "format": "", "family": family, "families": [family], "parameter_size": "",
            "quantization_level": "",
        ]
        if let context = facts(of: name).context { details["context_length"] = .integer(context) }
        return .object(details)
    }

    private func facts(of name: String) -> ModelFacts { names.discovery.facts(of: name, at: models.route(of: name)) }

    /// Returns the capabilities that all targets of the model have, as far as the gateway knows.
    private func capabilities(of name: String) -> [String] {
        let targets = models.route(of: name)?.targets ?? []
        let facts = facts(of: name)
        var capabilities = ["completion"]
        if facts.takesTools ?? true { capabilities.append("tools") }
        if facts.takesImages ?? targets.allSatisfy(\.speaksAnthropic) { capabilities.append("vision") }
        return capabilities
    }

    private static func response(_ document: JSONValue) -> ServerResponse {
        ServerResponse(RelayFields.responseHead, .bytes(document.bytes))
    }
}

/// Resolver of the model names that Ollama clients send. They add the tag `:latest` to names that have no tag in the
/// gateway, and omit it from names that have it.
struct OllamaNames: Sendable {
    let models: ModelTable
    let discovery: ModelDiscovery

    private static let usualTag = ":latest"

    /// Returns the gateway's name for a model, or the name unchanged if the gateway knows neither form.
    func resolved(_ name: String, for caller: ClientKey) -> String {
        let other =
            name.hasSuffix(Self.usualTag)
            ? String(name.dropLast(Self.usualTag.count)) : name.contains(":") ? nil : name + Self.usualTag
        guard let other, !other.isEmpty else { return name }
        for candidate in [name, other] where models.match(of: candidate) == candidate { return candidate }
        // Only a pattern can match now, and it can match both forms, so the listed form wins.
        let listed = discovery.names(for: caller)
        return listed.contains(name) || !listed.contains(other) ? name : other
    }
}
