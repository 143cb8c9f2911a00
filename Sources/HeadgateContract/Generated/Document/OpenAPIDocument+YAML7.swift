// Generated from openapi.yaml by openapi-generator; do not edit.

extension OpenAPIDocument {
    // swift-format-ignore
    static let yaml7 = ##"""
      properties:
        model: {$ref: "#/components/schemas/ModelName"}
        messages: {type: array, items: {}}
        stream: {$ref: "#/components/schemas/StreamSwitch"}
        stream_options: {$ref: "#/components/schemas/StreamOptions"}
        n: {$ref: "#/components/schemas/ChoiceCount"}
    ChatCompletion:
      type: object
      additionalProperties: true
      properties:
        model: {type: string, description: "The public name, also where the upstream has another one."}
        choices: {type: array, items: {type: object, additionalProperties: true}}
        usage: {$ref: "#/components/schemas/Usage"}
    ChatCompletionChunk:
      type: object
      additionalProperties: true
      properties:
        model: {type: string}
        choices: {type: array, items: {type: object, additionalProperties: true}}
        usage: {$ref: "#/components/schemas/Usage"}
        error: {$ref: "#/components/schemas/ErrorDetail"}
    CompletionRequest:
      type: object
      required: [model]
      additionalProperties: true
      properties:
        model: {$ref: "#/components/schemas/ModelName"}
        stream: {$ref: "#/components/schemas/StreamSwitch"}
        stream_options: {$ref: "#/components/schemas/StreamOptions"}
        n: {$ref: "#/components/schemas/ChoiceCount"}
    Completion:
      type: object
      additionalProperties: true
      properties:
        model: {type: string}
        choices: {type: array, items: {type: object, additionalProperties: true}}
        usage: {$ref: "#/components/schemas/Usage"}
        error: {$ref: "#/components/schemas/ErrorDetail"}
    ModelRequest:
      type: object
      description: A request in which the gateway reads nothing but the model.
      required: [model]
      additionalProperties: true
      properties:
        model: {$ref: "#/components/schemas/ModelName"}
    EmbeddingList:
      type: object
      additionalProperties: true
      properties:
        model: {type: string}
        usage: {$ref: "#/components/schemas/Usage"}
    ImageRequest:
      type: object
      required: [model]
      additionalProperties: true
      properties:
        model: {$ref: "#/components/schemas/ModelName"}
        stream: {oneOf: [{type: boolean, enum: [false]}, {type: "null"}], description: Images are not streamed.}
    SpeechRequest:
      type: object
      required: [model]
      additionalProperties: true
      properties:
        model: {$ref: "#/components/schemas/ModelName"}
        stream_format: {enum: [audio, null], description: Speech is not relayed as events.}
    ModelForm:
      type: object
      description: A form in which the gateway reads nothing but the model. Everything else is the upstream's, such as files.
      required: [model]
      additionalProperties: true
      properties:
        model: {$ref: "#/components/schemas/ModelName"}
    TypedEvent:
      type: object
      required: [type]
      additionalProperties: true
      properties:
        type: {type: string, examples: [transcript.text.delta, image_edit.completed]}
    Usage:
      type: [object, "null"]
      additionalProperties: true
      properties:
        prompt_tokens: {type: integer}
        completion_tokens: {type: integer}
        total_tokens: {type: integer}
    ResponseRequest:
      type: object
      required: [model]
      additionalProperties: true
      properties:
        model: {$ref: "#/components/schemas/ModelName"}
        stream: {$ref: "#/components/schemas/StreamSwitch"}
    Response:
      type: object
      additionalProperties: true
      properties:
        id: {type: string}
        status: {type: string, examples: [completed, failed, in_progress, cancelled, queued, incomplete]}
        model: {type: string}
        usage: {$ref: "#/components/schemas/TokenUsage"}
        error:
          type: [object, "null"]
          additionalProperties: true
          properties:
            code: {type: string, examples: [server_error]}
            message: {type: string}
    ResponseEvent:
      type: object
      required: [type]
      additionalProperties: true
      properties:
        type: {type: string, examples: [response.output_text.delta, response.completed, response.failed]}
        sequence_number: {type: integer, minimum: 0}
        response: {$ref: "#/components/schemas/Response"}
    ConversationRequest:
      type: object
      additionalProperties: true
      properties:
        items: {type: [array, "null"], maxItems: 20, items: {$ref: "#/components/schemas/ConversationItem"}}
        metadata: {$ref: "#/components/schemas/Metadata"}
    ConversationUpdate:
      type: object
      required: [metadata]
      additionalProperties: true
      properties:
        metadata: {$ref: "#/components/schemas/Metadata"}
    ConversationItems:
      type: object
      required: [items]
      additionalProperties: true
      properties:
        items: {type: array, maxItems: 20, items: {$ref: "#/components/schemas/ConversationItem"}}
    Metadata:
      type: [object, "null"]
      description: At most 16 texts, under names of at most 64 characters.
      maxProperties: 16
      additionalProperties: {type: string, maxLength: 512}
    Conversation:
      type: object
      required: [id, object, created_at, metadata]
      additionalProperties: true
      properties:
        id: {type: string}
        object: {type: string, const: conversation}
        created_at: {type: integer, description: Seconds since 1970.}
        metadata: {type: object, additionalProperties: true}
    ConversationItem:
      type: object
      description: What was said, as in the `input` and `output` of a response.
      required: [type]
      additionalProperties: true
      properties:
        id: {type: [string, "null"]}
        type: {type: string, examples: [message, function_call, function_call_output, reasoning]}
    ConversationItemList:
      type: object
      required: [object, data, first_id, last_id, has_more]
      additionalProperties: true
      properties:
        object: {type: string, const: list}
        data: {type: array, items: {$ref: "#/components/schemas/ConversationItem"}}
        first_id: {type: [string, "null"]}
        last_id: {type: [string, "null"]}
        has_more: {type: boolean}
    MessageRequest:
      type: object
      required: [model, messages]
      additionalProperties: true
      properties:
        model: {$ref: "#/components/schemas/ModelName"}
        messages: {type: array, items: {}}
        stream: {$ref: "#/components/schemas/StreamSwitch"}
    Message:
      type: object
      additionalProperties: true
      properties:
        model: {type: string}
        stop_reason: {type: [string, "null"]}
        usage: {$ref: "#/components/schemas/TokenUsage"}
    MessageEvent:
      type: object
      required: [type]
      additionalProperties: true
      properties:
        type: {type: string, examples: [message_start, content_block_delta, message_delta, message_stop, error]}
        message: {$ref: "#/components/schemas/Message"}
        usage: {$ref: "#/components/schemas/TokenUsage"}
        error: {$ref: "#/components/schemas/AnthropicErrorDetail"}
    TokenCountRequest:
      type: object
      required: [model, messages]
      additionalProperties: true
      properties:
        model: {$ref: "#/components/schemas/ModelName"}
        messages: {type: array, items: {}}
    TokenUsage:
      type: [object, "null"]
      additionalProperties: true
      properties:
        input_tokens: {type: [integer, "null"]}
        output_tokens: {type: integer}
    Relayed:
      type: object
      description: A body of the upstream in which the gateway reads nothing but an error.
      additionalProperties: true
    StoppedStream:
      type: object
      required: [id, object, deleted]
      additionalProperties: false
      properties:
        id: {type: string}
        object: {type: string, const: stream}
        deleted: {type: boolean, const: true}
    Error:
      type: object
      required: [error]
      additionalProperties: false
      properties:
        error: {$ref: "#/components/schemas/ErrorDetail"}
    Status:
      type: object
      required: [version, started_at, now, uptime_seconds, is_draining, requests_in_flight, streams_in_flight, totals, upstreams, models, budgets, recent]
      additionalProperties: false
      properties:
        version: {type: string}
        started_at: {type: string, format: date-time}
        now: {type: string, format: date-time}
        uptime_seconds: {type: integer, minimum: 0}
        is_draining: {type: boolean, description: Whether the gateway is shutting down.}
        requests_in_flight: {type: integer, description: At upstreams.}
        streams_in_flight: {type: integer, description: Those of them whose answers are streams.}
        totals: {$ref: "#/components/schemas/StatusTotals"}
        upstreams: {type: array, items: {$ref: "#/components/schemas/StatusUpstream"}, description: In the order of the configuration.}
        models: {type: array, items: {$ref: "#/components/schemas/StatusModel"}, description: Those with several targets or a breaker.}
        budgets: {type: array, items: {$ref: "#/components/schemas/StatusBudget"}, description: "Those of the configuration: of its keys, of groups, and of all requests together. What managed keys have used is told by /v1/admin/keys."}
        recent: {type: array, items: {$ref: "#/components/schemas/StatusRequest"}, description: "The last 200 requests, the latest first."}
    StatusTotals:
      type: object
      description: Since the start. Requests by how they ended, and tokens as upstreams counted them.
      required: [finished, client_gone, upstream_failed, timed_out, refused, drained, prompt_tokens, completion_tokens, cache_hits, cache_misses]
      additionalProperties: false
      properties:
        finished: {type: integer, minimum: 0}
        client_gone: {type: integer, minimum: 0}
        upstream_failed: {type: integer, minimum: 0}
        timed_out: {type: integer, minimum: 0}
        refused: {type: integer, minimum: 0}
        drained: {type: integer, minimum: 0}
        prompt_tokens: {type: integer, minimum: 0}
        completion_tokens: {type: integer, minimum: 0}
        cache_hits: {type: integer, minimum: 0, description: Requests that were answered from the cache.}
        cache_misses: {type: integer, minimum: 0, description: Requests whose answer the cache might have had.}
    StatusUpstream:
      type: object
      required: [name, kind, reachable, healthy, offline, requests_in_flight, streams_in_flight, keys]
      additionalProperties: false
      properties:
        name: {type: string}
        kind: {type: string, examples: [openai, anthropic, azure, on-device]}
        reachable: {type: [boolean, "null"], description: "Whether it answered the last time; null while nothing was asked."}
        healthy: {type: [boolean, "null"], description: "What the last active check said; null without one."}
        offline: {type: boolean, description: Whether a connection has just found no route to it or no such name.}
        requests_in_flight: {type: integer}
        streams_in_flight: {type: integer}
        in_flight_limit: {type: integer, description: The `max_in_flight` of the configuration.}
        waiting: {type: integer, description: "Requests that wait for one in flight to end; where there is a limit."}
        keys: {$ref: "#/components/schemas/StatusKeys"}
        last_error: {$ref: "#/components/schemas/StatusFailure"}
    StatusKeys:
      type: object
      description: The keys of an upstream.
      required: [count, resting]
      additionalProperties: false
      properties:
        count: {type: integer, minimum: 0}
        resting: {type: integer, minimum: 0, description: Those that were refused or have used their requests up.}
    StatusModel:
      type: object
      required: [name, targets]
      additionalProperties: false
      properties:
        name: {type: string, description: "Or the pattern, as configured."}
        targets: {type: array, items: {$ref: "#/components/schemas/StatusTarget"}, description: In the order of the configuration.}
    StatusTarget:
      type: object
      required: [upstream, weight, usable, requests_in_flight]
      additionalProperties: false
      properties:
        upstream: {type: string}
        model: {type: string, description: "The upstream's name for the model, where it has another one."}
        weight: {type: integer, minimum: 1}
        usable: {type: boolean, description: "Whether it has shown no reason to leave it alone: its breaker, its upstream's health or keys."}
        breaker: {type: string, enum: [closed, open, half_open]}
        open_until: {type: string, format: date-time, description: When an open breaker lets a request through.}
        requests_in_flight: {type: integer}
        ttft_ms: {type: number, description: Until the first content; a moving average over the last minute.}
    StatusBudget:
      type: object
      required: [kind, unit, every, amount, until]
      additionalProperties: false
      properties:
        kind: {type: string, enum: [key, group, gateway]}
        name: {type: string, description: Of the key or the group.}
        unit: {type: string, enum: [usd, tokens]}
        every: {type: string, enum: [hour, day, week, month]}
        amount: {type: number, description: What may be used in that time.}
        used: {type: number, description: What was used since it began; absent while that is not known.}
        until: {type: string, format: date-time, description: When it starts anew.}
    StatusFailure:
      type: object
      required: [at, code]
      additionalProperties: false
      properties:
        at: {type: string, format: date-time}
        code: {type: string, examples: [upstream_connect, upstream_timeout]}
        detail: {type: string, description: What the system said about it.}
    StatusRequest:
      type: object
      required: [id, ended_at, operation, status, outcome, stream, duration_ms]
      additionalProperties: false
      properties:
        id: {type: string, description: The `x-request-id` of its response.}
        ended_at: {type: string, format: date-time}
        operation: {type: string, examples: [createChatCompletion]}
        key: {type: string, description: The name of the key.}
        model: {type: string, description: "As configured, or as the client asked in vain: then harmless, and cut after 64 characters."}
        upstream: {type: string}
        attempts: {type: array, items: {$ref: "#/components/schemas/StatusAttempt"}, description: "In their order; absent where a single one could be made."}
        status: {type: integer}
        upstream_status: {type: integer}
        outcome: {type: string, enum: [finished, client_gone, upstream_failed, timed_out, refused, drained]}
        error: {type: string, description: A word for what went wrong.}
        detail: {type: string, description: What the system said about it.}
        finish_reason: {type: string, description: "Why the model ended, in the upstream's word."}
        stream: {type: boolean}
        ttft_ms: {type: number, description: Until the first content.}
        duration_ms: {type: number}
        prompt_tokens: {type: integer}
        completion_tokens: {type: integer}
        token_source: {type: string, enum: [estimated], description: "Where the tokens are from, unless the upstream has counted them."}
        cached_tokens: {type: integer, description: "Of the prompt, those that the upstream had in its cache."}
        cache_write_tokens: {type: integer, description: "Of the prompt, those that it has written to it."}
        cost_usd: {type: [number, "null"], description: "Null where it is not known; absent where nothing was used, or has a price."}
        fault: {type: string, description: A fault that the gateway was asked to make.}
        cache: {type: string, enum: [hit, miss, bypass], description: "What the cache did for it, where its model has one."}
        after_leaving: {type: string, description: What became of the answer after its client had left.}
        hedge: {type: string, enum: [won, lost, failed], description: "What became of a second attempt that began beside the first: it had content first, the other one had, or neither had."}
        trace_id: {type: string, description: "Of its trace, where requests are traced."}
    StatusAttempt:
      type: object
      required: [upstream, duration_ms]
      additionalProperties: false
      properties:
        upstream: {type: string}
        model: {type: string, description: "The upstream's name for the model, where it has another one."}
        key_number: {type: integer, minimum: 1, description: "Which of the upstream's keys it carried, where there are several."}
        error: {type: string, description: "Why it failed; absent where it had a response."}
        duration_ms: {type: integer, minimum: 0, description: "Until the failure, or until the response could be relayed."}
    UsageReport:
      type: object
      required: [by, since, rows]
      additionalProperties: false
      properties:
        by: {type: string, enum: [key, model, upstream, day, minute]}
        since: {type: string, format: date-time, description: "From when on; later than asked for where less is kept (`ledger_keep`)."}
        rows: {type: array, items: {$ref: "#/components/schemas/UsageRow"}}
    UsageRow:
      type: object
      required: [name, requests, prompt_tokens, completion_tokens, cached_tokens, cost_usd, cost_unknown_requests, estimated_requests, unfinished_requests]
      additionalProperties: false
      properties:
        name: {type: string, description: "The key, model or upstream, a date, or a minute; empty where there was none."}
        requests: {type: integer, minimum: 0}
        prompt_tokens: {type: integer, minimum: 0, description: "As the upstream has counted them, like the others, or as estimated."}
        completion_tokens: {type: integer, minimum: 0}
        cached_tokens: {type: integer, minimum: 0, description: Of the prompts.}
        cost_usd: {type: [number, "null"], description: "Of the requests whose cost is known; null where none is."}
        cost_unknown_requests: {type: integer, minimum: 0}
        estimated_requests: {type: integer, minimum: 0, description: "Those whose tokens, and so whose cost, are estimated, as the upstream has not counted them."}
        unfinished_requests: {type: integer, minimum: 0, description: Those whose gateway was killed before their end.}
    NewClientKey:
      type: object
      description: The settings that a key under `keys:` of the configuration has.
      required: [name]
      additionalProperties: false
      properties:
        name: {type: string, pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$", description: "Unique, in the configuration too; `anyone`, `keyless` and `uid-...` are no names of keys."}
        models: {type: array, minItems: 1, items: {type: string, minLength: 1}, description: "The public names and patterns that it may use, all of them without it."}
        expires: {type: string, format: date, description: "From when it is refused: a date, or a date-time of RFC 3339."}
        admin: {type: boolean, description: "Whether it also opens metrics, status and the keys."}
        limits: {$ref: "#/components/schemas/UsageLimits"}
        budget: {$ref: "#/components/schemas/UsageBudget"}
        group: {type: string, description: One of the configuration.}
        priority: {type: string, enum: [interactive, batch], description: "Whether its requests wait for a full upstream behind all others."}
    UsageLimits:
      type: object
      minProperties: 1
      additionalProperties: false
      properties:
        requests: {$ref: "#/components/schemas/Rates"}
"""##
}
