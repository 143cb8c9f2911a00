// Generated from openapi.yaml by openapi-generator; do not edit.

extension OpenAPIDocument {
    // swift-format-ignore
    static let yaml8 = ##"""
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
        program: {$ref: "#/components/schemas/StatusProgram"}
        last_error: {$ref: "#/components/schemas/StatusFailure"}
    StatusProgram:
      type: object
      description: The program that the gateway runs for an upstream.
      required: [state, requests_in_flight, waiting, starts, output]
      additionalProperties: false
      properties:
        state: {type: string, enum: [stopped, starting, ready, stopping, failed]}
        reason: {type: string, description: Why it has failed.}
        group: {type: string, description: Its `program_group`.}
        requests_in_flight: {type: integer, minimum: 0}
        waiting: {type: integer, minimum: 0, description: Requests that wait for it.}
        starts: {type: integer, minimum: 0, description: How often it was started.}
        output: {type: array, items: {type: string}, description: "The last lines that it has written, the newest last."}
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
        until: {type: string, format: date-time, description: When it resets.}
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
        inspection: {type: integer, minimum: 1, description: "Number of its content at /v1/admin/requests/{number}, if the gateway stores it."}
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
    Pairing:
      type: object
      required: [code, name, expires]
      additionalProperties: false
      properties:
        code: {type: string, description: "For `/v1/pairings/{code}`."}
        name: {type: string, description: The name of the key that it makes.}
        expires: {type: string, format: date-time, description: End of the code.}
    InspectedRequest:
      type: object
      required: [number, operation, path, started_at, headers, body, attempts, response]
      additionalProperties: false
      properties:
        number: {type: integer, minimum: 1}
        operation: {type: string, examples: [createChatCompletion]}
        path: {type: string, description: Without its query., examples: [/v1/chat/completions]}
        started_at: {type: string, format: date-time}
        ended_ms: {type: number, description: "Since the start, as all times here; absent before the end."}
        headers: {type: array, items: {$ref: "#/components/schemas/InspectedHeader"}}
        body: {$ref: "#/components/schemas/InspectedBody"}
        attempts: {type: array, items: {$ref: "#/components/schemas/InspectedAttempt"}, description: "Requests to upstreams, at most 16."}
        status: {type: integer, description: Status of the response; absent before it and for an error of the gateway itself.}
        error: {type: string, description: Message of an error of the gateway itself.}
        response: {$ref: "#/components/schemas/InspectedResponse"}
    InspectedHeader:
      type: object
      required: [name, value]
      additionalProperties: false
      properties:
        name: {type: string}
        value: {type: string}
    InspectedBody:
      type: object
      required: [size, cut]
      additionalProperties: false
      properties:
        size: {type: integer, minimum: 0, description: Bytes of the whole body.}
        cut: {type: boolean, description: Whether the text is only its beginning.}
        text: {type: string, description: Absent if the body is not text.}
    InspectedResponse:
      type: object
      required: [size, cut]
      additionalProperties: false
      properties:
        size: {type: integer, minimum: 0, description: Bytes of the whole body.}
        cut: {type: boolean, description: Whether the pieces are only its beginning.}
        pieces: {type: array, items: {$ref: "#/components/schemas/InspectedPiece"}, description: "As the client got them, at most 1000; absent if the body is not text."}
    InspectedPiece:
      type: object
      required: [at_ms, text]
      additionalProperties: false
      properties:
        at_ms: {type: number}
        text: {type: string}
    InspectedAttempt:
      type: object
      required: [upstream, place, started_ms, headers]
      additionalProperties: false
      properties:
        upstream: {type: string}
        place: {type: string, description: "Method, authority and path.", examples: ["POST api.openai.com/v1/chat/completions"]}
        started_ms: {type: number}
        responded_ms: {type: number, description: When the head of its response or its failure came.}
        status: {type: integer}
        error: {type: string, description: A word for a failure without a response.}
        headers: {type: array, items: {$ref: "#/components/schemas/InspectedHeader"}}
        body: {$ref: "#/components/schemas/InspectedBody", description: Absent for a form.}
        response: {$ref: "#/components/schemas/InspectedBody", description: "Of an error, at most 4 KiB."}
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
        allow_tiers: {type: array, minItems: 1, items: {type: string, enum: [default, flex, priority, batch, ultrafast, fast]}, description: "The service tiers that its requests may select, all of them without it."}
        unpriced: {type: string, enum: [allow, refuse], description: "Whether requests whose price is unknown pass a budget in USD; `allow` without it."}
        priority: {type: string, enum: [interactive, batch], description: "Whether its requests wait for a full upstream behind all others."}
        passthrough: {type: array, minItems: 1, items: {type: string, pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$"}, description: "Upstreams whose whole API it reaches at `/upstream/{name}/{path}`; not with a budget."}
    UsageLimits:
      type: object
      minProperties: 1
      additionalProperties: false
      properties:
        requests: {$ref: "#/components/schemas/Rates"}
        burst: {type: integer, minimum: 1, maximum: 1000000, description: "Of requests, and at most as many as they allow."}
        tokens: {$ref: "#/components/schemas/Rates"}
        input_tokens: {$ref: "#/components/schemas/Rates"}
        output_tokens: {$ref: "#/components/schemas/Rates"}
        in_flight: {type: integer, minimum: 1, maximum: 1000000}
    Rates:
      description: One rate, or several that all hold, each a number, perhaps with `k` or `M`, in each second, minute, hour or day.
      oneOf:
        - {type: string, pattern: "^[1-9][0-9]{0,5}[kM]?/[smhd]$", examples: [60/m]}
        - {type: array, minItems: 1, items: {type: string, pattern: "^[1-9][0-9]{0,5}[kM]?/[smhd]$"}}
    UsageBudget:
      description: Of USD or of tokens, in each hour, day, week or month of the calendar in UTC.
      oneOf: [{$ref: "#/components/schemas/BudgetOfUSD"}, {$ref: "#/components/schemas/BudgetOfTokens"}]
    BudgetOfUSD:
      type: object
      required: [usd, every]
      additionalProperties: false
      properties:
        usd:
          description: A whole number, or a text such as `0.50`.
          oneOf:
            - {type: integer, minimum: 1, maximum: 1000000}
            - {type: string, pattern: "^[1-9][0-9]{0,5}([.][0-9]{1,6})?$"}
        every: {type: string, enum: [hour, day, week, month]}
        strict: {type: boolean, description: Whether requests are refused while it is not known what was used before.}
    BudgetOfTokens:
      type: object
      required: [tokens, every]
      additionalProperties: false
      properties:
        tokens:
          oneOf:
            - {type: integer, minimum: 1, maximum: 1000000000000}
            - {type: string, pattern: "^[1-9][0-9]{0,5}[kM]?$", examples: [5M]}
        every: {type: string, enum: [hour, day, week, month]}
        strict: {type: boolean}
    KeyRotation:
      type: object
      additionalProperties: false
      properties:
        grace: {type: string, pattern: "^[1-9][0-9]{0,3}[smhd]$", description: How long the key before is let in yet.}
    ClientKeyList:
      type: object
      required: [object, data, has_more]
      additionalProperties: true
      properties:
        object: {type: string, enum: [list]}
        data: {type: array, items: {$ref: "#/components/schemas/ClientKey"}}
        has_more: {type: boolean}
    ClientKey:
      type: object
      description: A key and its settings, of which there may be more one day.
      required: [name, managed, admin, models, created, expires, is_expired, former_until]
      additionalProperties: true
      properties:
        name: {type: string}
        managed: {type: boolean, description: False for one of the configuration.}
        key: {type: string, description: "The key itself: only in the answer that has made it."}
        admin: {type: boolean}
        models: {type: array, items: {type: string}}
        created: {type: [string, "null"], format: date-time}
        expires: {type: [string, "null"], format: date-time}
        is_expired: {type: boolean}
        former_until: {type: [string, "null"], format: date-time, description: Until when a key before the last rotation is let in.}
        limits: {$ref: "#/components/schemas/UsageLimits"}
        budget: {$ref: "#/components/schemas/UsageBudget"}
        budget_use: {$ref: "#/components/schemas/BudgetUse"}
        group: {type: string}
        priority: {type: string, enum: [interactive, batch]}
        passthrough: {type: array, minItems: 1, items: {type: string, minLength: 1}}
        problem: {type: string, description: Why it is not let in.}
    BudgetUse:
      type: object
      description: What a key has used of its budget.
      required: [unit, every, amount, until]
      additionalProperties: false
      properties:
        unit: {type: string, enum: [usd, tokens]}
        every: {type: string, enum: [hour, day, week, month]}
        amount: {type: number, description: What may be used in that time.}
        used: {type: number, description: What was used since it began; absent while that is not known.}
        until: {type: string, format: date-time, description: When it resets.}
    RevokedKey:
      type: object
      required: [name, revoked]
      additionalProperties: false
      properties:
        name: {type: string}
        revoked: {type: boolean, enum: [true]}
    Explanation:
"""##
}
