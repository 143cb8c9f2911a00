/// One entry of LiteLLM's `model_list`, as far as it can be carried over.
struct LiteLLMDeployment {
    /// Public names of the deployment: its own, or patterns that replace one that cannot be expressed here.
    var names: [String]
    let position: SourcePosition
    var upstream: ImportedUpstream
    /// Name of the model at the upstream; nil if the client's name is forwarded.
    var model: String?
    /// Numbers that concern routing or limits.
    var numbers: [LiteLLMNumber: Double] = [:]
    /// Defaults for request parameters, by name.
    var defaults: [String: String] = [:]
}

/// A member of `litellm_params` that concerns routing or limits.
enum LiteLLMNumber: String, CaseIterable {
    case weight, order
    case requests = "rpm"
    case tokens = "tpm"
    case inFlight = "max_parallel_requests"
    /// Timeout in seconds.
    case timeout
    case streamTimeout = "stream_timeout"
    case retries = "max_retries"

    init?(member: String) {
        switch member {
        case "request_timeout": self = .timeout
        case "num_retries": self = .retries
        default: self.init(rawValue: member)
        }
    }

    var isWhole: Bool { ![.weight, .timeout, .streamTimeout].contains(self) }
}

extension LiteLLMReader {
    /// Members of `litellm_params` that become default parameters of requests.
    private static let requestMembers: Set<String> = [
        "temperature", "top_p", "top_k", "max_tokens", "max_completion_tokens", "presence_penalty", "frequency_penalty",
        "seed", "stop", "reasoning_effort", "n", "user", "service_tier", "verbosity",
    ]

    /// - Returns: Nil if the deployment is left out, which is noted.
    mutating func deployment(_ item: YAMLNode) -> LiteLLMDeployment? {
        guard let name = item["model_name"]?.text, let params = item["litellm_params"] else {
            noteLeftOut(
                "an entry of model_list", "it has no model_name or no litellm_params; complete it there", item.position)
            return nil
        }
        let place = "model \(quoted(name))"
        guard let written = params["model"]?.text else {
            noteLeftOut(place, "litellm_params has no model; write provider/name", params.position)
            return nil
        }
        let shared = credentials(of: params)
        func member(_ key: String) -> YAMLNode? { params[key] ?? shared?[key] }
        let address = member("api_base") ?? member("base_url")
        let resolved = LiteLLMProvider.resolve(
            written, chosen: params["custom_llm_provider"]?.text, hasAddress: address?.text != nil)
        guard let (provider, model) = resolved else {
            let prefix = written.split(separator: "/").first.map(String.init) ?? written
            noteLeftOut(
                place,
                "the gateway does not speak the API of \(quoted(prefix)); if it has an address with an API like "
                    + "OpenAI's, write it as a kind: openai upstream",
                params.position)
            return nil
        }
        guard let (names, sent) = self.names(name, model, provider, at: item.position),
            let upstream = upstream(provider, member, address, place: place, at: params.position)
        else { return nil }
        var deployment = LiteLLMDeployment(names: names, position: item.position, upstream: upstream, model: sent)
        read(params, into: &deployment, place)
        noteRest(of: item, place)
        return deployment
    }

    /// Reads the members that concern routing and limits, and notes the others.
    private mutating func read(_ params: YAMLNode, into deployment: inout LiteLLMDeployment, _ place: String) {
        for entry in params.entries where !entry.value.isNull {
            let value = entry.value
            if let number = LiteLLMNumber(member: entry.key) {
                read(value, as: number, of: entry, into: &deployment, place)
                continue
            }
            switch entry.key {
            case "api_version" where deployment.upstream.kind != .azure:
                note("\(place): api_version, which only Azure has: leave it out", entry.keyPosition)
            case "custom_llm_provider" where value.text.map(LiteLLMProvider.isKnown) != true:
                note(
                    "\(place): custom_llm_provider, which is none that is known here: look whether the upstream is the "
                        + "right one",
                    entry.keyPosition)
            case "model", "api_base", "base_url", "api_key", "api_version", "custom_llm_provider", "organization",
                "extra_headers", "headers", "litellm_credential_name":
                continue
            case let key where LiteLLMReader.requestMembers.contains(key) && value.isScalar:
                guard case .scalar(let text, let isPlain) = value.content else { continue }
                deployment.defaults[key] = isPlain ? text : YAMLText.scalar(text)
            default:
                note(
                    "\(place): \(quoted(entry.key)) of litellm_params: has no counterpart; if the upstream takes it in "
                        + "the body, write it under parameters: {defaults}",
                    entry.keyPosition)
            }
        }
    }

    private mutating func read(
        _ value: YAMLNode, as number: LiteLLMNumber, of entry: YAMLEntry, into deployment: inout LiteLLMDeployment,
        _ place: String
    ) {
        let limits: [LiteLLMNumber] = [.requests, .tokens, .inFlight]
        guard let read = value.number, !number.isWhole || Int(exactly: read) != nil,
            !limits.contains(number) || (1...1_000_000_000).contains(read)
        else {
            let expected =
                limits.contains(number) ? "a whole number from 1" : "a\(number.isWhole ? " whole" : "") number"
            return note("\(place): \(entry.key), which is not \(expected): write it by hand", entry.keyPosition)
        }
        if let other = deployment.numbers[number], other != read {
            return note("\(place): \(entry.key), which says another number than its other name", entry.keyPosition)
        }
        deployment.numbers[number] = read
    }

    private mutating func noteRest(of item: YAMLNode, _ place: String) {
        for entry in item.entries where !["model_name", "litellm_params"].contains(entry.key) && !entry.value.isNull {
            // The identifier has no meaning here, and the route determines the kind of a model.
            let members = entry.value.entries.map(\.key).filter { !["id", "mode"].contains($0) }
            if entry.key == "model_info", members.isEmpty { continue }
            let what = members.isEmpty ? "" : " (\(members.prefix(8).map(quoted).joined(separator: ", ")))"
            let hasCosts = members.contains { $0.contains("cost") }
            let advice = hasCosts ? ": costs go to a file of prices, see docs/usage.md" : ": nothing here reads it"
            note("\(place): \(quoted(entry.key))\(what)\(advice)", entry.keyPosition)
        }
    }
}
