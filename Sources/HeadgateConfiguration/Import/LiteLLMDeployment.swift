/// One entry of LiteLLM's `model_list`, as far as it can be carried over.
struct LiteLLMDeployment {
    /// Under which names it is served: its own, or patterns in the place of one that no pattern here can express.
    var names: [String]
    let position: SourcePosition
    var upstream: ImportedUpstream
    /// The upstream's name for it; nil where the client's is passed on.
    var model: String?
    var weight: Double?
    var order: Int?
    var requestsPerMinute: Int?
    var tokensPerMinute: Int?
    var inFlight: Int?
    /// Seconds.
    var timeout: Double?
    var streamTimeout: Double?
    var retries: Int?
    /// Parameters of requests that say nothing themselves, as they are written.
    var defaults: [String: String] = [:]
}

extension LiteLLMReader {
    /// Members of `litellm_params` that become defaults of requests.
    private static let requestMembers: Set<String> = [
        "temperature", "top_p", "top_k", "max_tokens", "max_completion_tokens", "presence_penalty", "frequency_penalty",
        "seed", "stop", "reasoning_effort", "n", "user", "service_tier", "verbosity",
    ]

    /// - Returns: nil for one that is left out, which has been noted.
    mutating func deployment(_ item: YAMLNode) -> LiteLLMDeployment? {
        guard let name = item["model_name"]?.text, let params = item["litellm_params"] else {
            note("an entry of model_list without model_name and litellm_params", item.position)
            return nil
        }
        let place = "model \(quoted(name))"
        guard let written = params["model"]?.text else {
            note("\(place): litellm_params has no model", params.position)
            return nil
        }
        let shared = credentials(of: params)
        func member(_ key: String) -> YAMLNode? { params[key] ?? shared?[key] }
        let address = member("api_base") ?? member("base_url")
        let resolved = LiteLLMProvider.resolve(
            written, chosen: params["custom_llm_provider"]?.text, hasAddress: address?.text != nil)
        guard let (provider, model) = resolved else {
            let prefix = written.split(separator: "/").first.map(String.init) ?? written
            note(
                "\(place) is left out: the gateway does not speak the API of \(quoted(prefix)); if it has an address "
                    + "with an API like OpenAI's, write it as a kind: openai upstream",
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

    /// The members that are about routing and limits, and notes of what is left.
    private mutating func read(_ params: YAMLNode, into deployment: inout LiteLLMDeployment, _ place: String) {
        for entry in params.entries where !entry.value.isNull {
            let (value, count) = (entry.value, entry.value.count)
            switch entry.key {
            case "model", "api_base", "base_url", "api_key", "api_version", "custom_llm_provider", "organization",
                "extra_headers", "headers", "litellm_credential_name":
                continue
            case "weight": deployment.weight = value.number
            case "order": deployment.order = count
            case "rpm": deployment.requestsPerMinute = count
            case "tpm": deployment.tokensPerMinute = count
            case "max_parallel_requests": deployment.inFlight = count
            case "timeout", "request_timeout": deployment.timeout = value.number
            case "stream_timeout": deployment.streamTimeout = value.number
            case "max_retries", "num_retries": deployment.retries = count
            case let key where LiteLLMReader.requestMembers.contains(key) && value.isScalar:
                guard case .scalar(let text, let isPlain) = value.content else { continue }
                deployment.defaults[key] = isPlain ? text : YAMLText.scalar(text)
                continue
            default:
                note("\(place): \(quoted(entry.key)) of litellm_params", entry.keyPosition)
                continue
            }
            if value.number == nil {
                note("\(place): \(entry.key), which is not a number", entry.keyPosition)
            }
        }
    }

    private mutating func noteRest(of item: YAMLNode, _ place: String) {
        for entry in item.entries where !["model_name", "litellm_params"].contains(entry.key) && !entry.value.isNull {
            // An identifier means nothing here, and the kind of a model is the route's.
            let members = entry.value.entries.map(\.key).filter { !["id", "mode"].contains($0) }
            if entry.key == "model_info", members.isEmpty { continue }
            let what = members.isEmpty ? "" : " (\(members.prefix(8).map(quoted).joined(separator: ", ")))"
            let hasCosts = members.contains { $0.contains("cost") }
            let advice = hasCosts ? ": costs go to a file of prices, see docs/usage.md" : ""
            note("\(place): \(quoted(entry.key))\(what)\(advice)", entry.keyPosition)
        }
    }
}
