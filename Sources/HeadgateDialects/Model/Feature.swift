/// A part of a request that some formats do not support.
package enum Feature: String, CaseIterable, Sendable {
    // Settings with one value.
    case temperature, topP, topK, seed, presencePenalty, frequencyPenalty, logitBias, logprobs, topLogprobs
    case user, safetyIdentifier, metadata, serviceTier, speed, store, verbosity
    case promptCacheKey, promptCacheOptions, promptCacheRetention
    // Structure.
    case choices, stopSequences, responseFormat, toolChoice, parallelToolCalls, customTools, hostedTools, strictTools
    case reasoningEffort, reasoningBudget, reasoningDisplay, reasoningHistory, cacheMarkers, imageDetail, images
    case documents, documentURLs, uploadedFiles, resultErrors, toolArguments

    /// Returns the member that represents the feature in a format. If the format has none, returns the feature's own
    /// name.
    package func name(in format: ClientFormat) -> String { member(in: format) ?? rawValue }

    /// Returns whether requests of the format can express the feature.
    package func exists(in format: ClientFormat) -> Bool { member(in: format) != nil }

    private func member(in format: ClientFormat) -> String? {
        switch format {
        case .chat: names.chat
        case .messages: names.messages
        case .responses: names.responses
        case .ollamaChat: ollamaName
        case .ollamaGenerate: self == .images ? "images" : ollamaName
        }
    }

    private var ollamaName: String? {
        switch self {
        case .temperature, .topP, .seed, .presencePenalty, .frequencyPenalty, .stopSequences:
            names.chat.map { "options.\($0)" }
        case .topK: "options.top_k"
        case .logprobs, .topLogprobs: names.chat
        case .responseFormat: "format"
        case .reasoningEffort, .reasoningDisplay: "think"
        case .reasoningHistory: "messages[].thinking"
        case .images: "messages[].images"
        case .toolArguments: names.chat
        default: nil
        }
    }

    private var names: (chat: String?, messages: String?, responses: String?) {
        switch self {
        case .temperature: ("temperature", "temperature", "temperature")
        case .topP: ("top_p", "top_p", "top_p")
        case .topK: (nil, "top_k", nil)
        case .seed: ("seed", nil, nil)
        case .presencePenalty: ("presence_penalty", nil, nil)
        case .frequencyPenalty: ("frequency_penalty", nil, nil)
        case .logitBias: ("logit_bias", nil, nil)
        case .logprobs: ("logprobs", nil, nil)
        case .topLogprobs: ("top_logprobs", nil, "top_logprobs")
        case .user: ("user", "metadata.user_id", "user")
        case .safetyIdentifier: ("safety_identifier", nil, "safety_identifier")
        case .metadata: ("metadata", nil, "metadata")
        case .serviceTier: ("service_tier", "service_tier", "service_tier")
        case .speed: (nil, "speed", nil)
        case .store: ("store", nil, "store")
        case .verbosity: ("verbosity", nil, "text.verbosity")
        case .promptCacheKey: ("prompt_cache_key", nil, "prompt_cache_key")
        case .promptCacheOptions: ("prompt_cache_options", nil, "prompt_cache_options")
        case .promptCacheRetention: ("prompt_cache_retention", nil, "prompt_cache_retention")
        case .choices: ("n", nil, nil)
        case .stopSequences: ("stop", "stop_sequences", nil)
        case .responseFormat: ("response_format", "output_config.format", "text.format")
        case .toolChoice: ("tool_choice", "tool_choice", "tool_choice")
        case .parallelToolCalls:
            ("parallel_tool_calls", "tool_choice.disable_parallel_tool_use", "parallel_tool_calls")
        case .customTools: ("tools[].custom", nil, "tools[].custom")
        case .hostedTools: ("web_search_options", "tools[].type", "tools[].type")
        case .strictTools: ("tools[].function.strict", "tools[].strict", "tools[].strict")
        case .reasoningEffort: ("reasoning_effort", "output_config.effort", "reasoning.effort")
        case .reasoningBudget: (nil, "thinking.budget_tokens", nil)
        case .reasoningDisplay: (nil, "thinking.display", "reasoning.summary")
        case .reasoningHistory:
            ("messages[].reasoning_content", "messages[].content[].thinking", "input[].summary")
        case .cacheMarkers:
            (
                "messages[].content[].prompt_cache_breakpoint", "cache_control",
                "input[].content[].prompt_cache_breakpoint"
            )
        case .imageDetail: ("messages[].content[].image_url.detail", nil, "input[].content[].detail")
        case .images:
            ("messages[].content[].image_url", "messages[].content[].source", "input[].content[].image_url")
        case .documents: ("messages[].content[].file", "messages[].content[].source", "input[].content[].file_data")
        case .documentURLs: (nil, "messages[].content[].source.url", "input[].content[].file_url")
        case .uploadedFiles:
            (
                "messages[].content[].file.file_id", "messages[].content[].source.file_id",
                "input[].content[].file_id"
            )
        case .resultErrors: (nil, "messages[].content[].is_error", nil)
        case .toolArguments:
            ("messages[].tool_calls[].function.arguments", "messages[].content[].input", "input[].arguments")
        }
    }
}
