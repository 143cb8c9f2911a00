internal import HTTPTypes
internal import HeadgateConfiguration
package import HeadgateHTTP
internal import HeadgatePrices
internal import HeadgatePrimitives
internal import JSONBytes

/// The handler of `GET /v1/models` and `GET /v1/models/{model}`, which show the public names that the caller may use.
package struct ModelsHandler: Sendable {
    let models: ModelTable
    let discovery: ModelDiscovery
    /// Time at which this configuration was loaded, in seconds since 1970. Sent as `created` if the upstream does not
    /// list a time.
    let created: Int64
    /// Prices of the models; nil if none is known.
    let pricing: RequestPricing?

    package init(models: ModelTable, discovery: ModelDiscovery, created: Int64, pricing: RequestPricing? = nil) {
        self.models = models
        self.discovery = discovery
        self.created = created
        self.pricing = pricing
    }

    /// Queries the upstreams of the caller's models whose lists are stale.
    ///
    /// - Parameter delay: limits the wait for upstreams.
    package func refresh(for caller: ClientKey, after delay: ModelDiscovery.Delay) async {
        await discovery.refresh(for: caller, after: delay)
    }

    /// Lists the models that the caller may use.
    ///
    /// - Parameter delay: limits the wait for upstreams.
    package func list(for caller: ClientKey, dialect: Dialect = .openAI, after delay: ModelDiscovery.Delay) async
        -> ServerResponse
    {
        await discovery.refresh(for: caller, after: delay)
        let names = models.names.filter(caller.allows(model:)) + discovery.names(for: caller)
        if case .anthropic = dialect { return listForAnthropic(names) }
        var output = Array("{\"object\":\"list\",\"data\":[".utf8)
        for (index, name) in names.enumerated() {
            if index > 0 { output.append(0x2C) }
            append(name, to: &output)
        }
        output.append(contentsOf: "]}".utf8)
        return ModelsHandler.response(output)
    }

    /// Returns one model.
    ///
    /// - Parameter encoded: the rest of the path, percent-encoded. Names can contain slashes, escaped or not.
    /// - Throws: `unknownModel` if no route has that name, or if the caller may not use it.
    package func retrieve(
        _ encoded: String, for caller: ClientKey, dialect: Dialect = .openAI
    ) throws(GatewayError) -> ServerResponse {
        guard let name = PercentEncoding.decode(encoded), models.route(of: name) != nil,
            caller.allows(model: name)
        else { throw .unknownModel(PercentEncoding.decode(encoded) ?? encoded) }
        var output: [UInt8] = []
        if case .anthropic = dialect { appendForAnthropic(name, to: &output) } else { append(name, to: &output) }
        return ModelsHandler.response(output)
    }

    /// Lists all models on one page, in Anthropic's format.
    private func listForAnthropic(_ names: [String]) -> ServerResponse {
        var output = Array("{\"data\":[".utf8)
        for (index, name) in names.enumerated() {
            if index > 0 { output.append(0x2C) }
            appendForAnthropic(name, to: &output)
        }
        output.append(contentsOf: "],\"has_more\":false,\"first_id\":".utf8)
        output.append(contentsOf: names.first.map(JSONEscaping.literal) ?? Array("null".utf8))
        output.append(contentsOf: ",\"last_id\":".utf8)
        output.append(contentsOf: names.last.map(JSONEscaping.literal) ?? Array("null".utf8))
        output.append(0x7D)
        return ModelsHandler.response(output)
    }

    private func appendForAnthropic(_ name: String, to output: inout [UInt8]) {
        output.append(contentsOf: "{\"type\":\"model\",\"id\":".utf8)
        JSONEscaping.append(name, to: &output)
        let facts = discovery.facts(of: name, at: models.route(of: name))
        facts.append("display_name", or: JSONEscaping.literal(name), to: &output)
        facts.append("created_at", or: Array("\"\(Timestamp.dateTime(created))\"".utf8), to: &output)
        facts.append("lifecycle", or: Array(#""active""#.utf8), to: &output)
        if let context = facts.context { output.append(contentsOf: ",\"max_input_tokens\":\(context)".utf8) }
        facts.appendOthers(
            besides: ["display_name", "created_at", "lifecycle", "max_input_tokens", "created", "owned_by"],
            to: &output)
        output.append(0x7D)
    }

    private func append(_ name: String, to output: inout [UInt8]) {
        output.append(contentsOf: "{\"id\":".utf8)
        JSONEscaping.append(name, to: &output)
        output.append(contentsOf: ",\"object\":\"model\"".utf8)
        let route = models.route(of: name)
        let facts = discovery.facts(of: name, at: route)
        facts.append("created", or: Array("\(created)".utf8), to: &output)
        let owner = route?.targets[0].upstream.name ?? "headgate"
        facts.append("owned_by", or: JSONEscaping.literal(owner), to: &output)
        if facts.hasOwner {
            output.append(contentsOf: ",\"upstream\":".utf8)
            JSONEscaping.append(owner, to: &output)
        }
        output.append(contentsOf: ",\"speaks\":[\(route?.spokenFormats ?? "")]".utf8)
        if let target = route?.targets[0] {
            output.append(contentsOf: ",\"location\":\"\(target.location)\"".utf8)
            if !facts.hasPricing, let price = pricing?.price(of: name, at: target) {
                output.append(contentsOf: ",\"pricing\":\(price.openRouterForm)".utf8)
            }
        }
        if let context = facts.context { output.append(contentsOf: ",\"context_length\":\(context)".utf8) }
        facts.appendOthers(besides: ["created", "owned_by", "upstream", "location", "context_length"], to: &output)
        output.append(0x7D)
    }

    private static func response(_ body: [UInt8]) -> ServerResponse {
        let fields: HTTPFields = [.contentType: "application/json", .cacheControl: "no-store"]
        return ServerResponse(HTTPResponse(status: .ok, headerFields: fields), .bytes(body))
    }
}

extension ModelFacts {
    /// Whether the upstream's list states an owner.
    fileprivate var hasOwner: Bool { members.contains { $0.name == "owned_by" } }

    /// Whether the upstream's list states prices.
    fileprivate var hasPricing: Bool { members.contains { $0.name == "pricing" } }

    /// Appends a member as the upstream wrote it, or with the given value.
    fileprivate func append(_ name: String, or value: @autoclosure () -> [UInt8], to output: inout [UInt8]) {
        append(Member(name: name, value: members.first { $0.name == name }?.value ?? value()), to: &output)
    }

    /// Appends the other members of the upstream's entry.
    fileprivate func appendOthers(besides written: Set<String>, to output: inout [UInt8]) {
        for member in members where !written.contains(member.name) { append(member, to: &output) }
    }

    private func append(_ member: Member, to output: inout [UInt8]) {
        output.append(0x2C)
        JSONEscaping.append(member.name, to: &output)
        output.append(0x3A)
        output.append(contentsOf: member.value)
    }
}

extension ModelTarget {
    /// Location of the model, as far as the gateway knows: `device`, `local` or `cloud`.
    fileprivate var location: String { upstream.isOnDevice ? "device" : limits.isLocal ? "local" : "cloud" }
}

extension TokenPrice {
    /// Prices in USD per token, in the format of OpenRouter's list.
    fileprivate var openRouterForm: String {
        let (prompt, completion) = (DecimalText.text(input, digits: 12), DecimalText.text(output, digits: 12))
        return #"{"prompt":"\#(prompt)","completion":"\#(completion)"}"#
    }
}

extension ModelRoute {
    /// Formats that at least one target accepts without translation, as elements of a JSON array.
    fileprivate var spokenFormats: String {
        let spoken = targets.reduce(into: SpokenFormats()) { $0.formUnion($1.upstream.speaks) }
        let names: [(SpokenFormats, String)] = [
            (.chat, #""chat""#), (.responses, #""responses""#), (.messages, #""messages""#),
        ]
        return names.filter { spoken.contains($0.0) }.map(\.1).joined(separator: ",")
    }
}
