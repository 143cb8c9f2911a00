// Generated from openapi.yaml by openapi-generator; do not edit.

extension OpenAPIDocument {
    // swift-format-ignore
    static let yaml8 = ##"""
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
        allow_tiers: {type: array, minItems: 1, items: {type: string, enum: [default, flex, priority, batch, ultrafast, fast]}, description: "The service tiers that its requests may select, all of them without it."}
        unpriced: {type: string, enum: [allow, refuse], description: "Whether requests whose price is unknown pass a budget in USD; `allow` without it."}
        priority: {type: string, enum: [interactive, batch], description: "Whether its requests wait for a full upstream behind all others."}
        passthrough: {type: array, minItems: 1, items: {type: string, minLength: 1}, description: "Upstreams whose whole API it reaches at `/upstream/{name}/{path}`; not with a budget."}
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
        until: {type: string, format: date-time, description: When it starts anew.}
    RevokedKey:
      type: object
      required: [name, revoked]
      additionalProperties: false
      properties:
        name: {type: string}
        revoked: {type: boolean, enum: [true]}
    Explanation:
      type: object
      description: What would happen to a request now. Every secret is `***`.
      required: [operation, model, matched, is_pattern, choose, order_is_random, retry, targets, rules, request]
      additionalProperties: false
      properties:
        operation: {type: string, examples: [createChatCompletion]}
        model: {type: string, description: As the request names it.}
        matched: {type: string, description: "The configured name that it matches, or the pattern.", examples: ["gpt-*"]}
        is_pattern: {type: boolean}
        choose: {type: string, enum: [first, weighted, least_busy, fastest]}
        order_is_random: {type: boolean, description: Whether the next request might find the targets in another order.}
        affinity: {$ref: "#/components/schemas/ExplainedAffinity"}
        retry: {$ref: "#/components/schemas/ExplainedRetry"}
        hedge: {$ref: "#/components/schemas/ExplainedHedge"}
        total_timeout_ms: {type: integer, minimum: 0, description: For the request with all its attempts; without a limit where it is absent.}
        targets:
          type: array
          items: {$ref: "#/components/schemas/ExplainedTarget"}
          description: In the order in which the request tries them. Those of another dialect, which never get it, come last.
        rules: {type: array, items: {$ref: "#/components/schemas/ExplainedRule"}, description: Of the target whose request is shown.}
        request: {$ref: "#/components/schemas/ExplainedRequest"}
    ExplainedAffinity:
      type: object
      required: [rule, has_key]
      additionalProperties: false
      properties:
        rule: {type: string, examples: [conversation, "header:x-session"]}
        has_key: {type: boolean, description: "Whether this request has what the rule asks for; else `choose` decides."}
    ExplainedRetry:
      type: object
      required: [attempts, backoff_ms, max_backoff_ms, budget_percent, "on"]
      additionalProperties: false
      properties:
        attempts: {type: integer, minimum: 1, description: "All sends of the request, the first included."}
        backoff_ms: {type: integer, minimum: 0}
        max_backoff_ms: {type: integer, minimum: 0}
        budget_percent: {type: integer, minimum: 0, description: Of the last minute's requests.}
        "on": {type: array, items: {type: string}, description: Faults that are worth another attempt., examples: [[connect, 5xx]]}
    ExplainedHedge:
      type: object
      description: When a second attempt would begin beside the first.
      required: [after, repeatable]
      additionalProperties: false
      properties:
        after: {type: string, description: "As configured: a time, or the percentile of what the model's requests took.", examples: [p95, 800ms]}
        after_ms: {type: integer, minimum: 0, description: The time; absent while too few requests are measured.}
        repeatable: {type: boolean, description: "Whether this request may be sent twice: one that an upstream keeps, or does more for, may not."}
    ExplainedTarget:
      type: object
      required: [upstream, model, weight, local, state, reason, keys, in_flight, timeouts]
      additionalProperties: false
      properties:
        upstream: {type: string}
        model: {type: string, description: Its name there.}
        weight: {type: integer, minimum: 1}
        local: {type: boolean, description: Whether it works without a network.}
        state: {type: string, enum: [ready, full, half_open, offline, unhealthy, key_resting, breaker_open, other_dialect, other_requests]}
        reason: {type: string, description: "A sentence about the state, and what it means for the request."}
        remaining_ms: {type: integer, minimum: 0, description: How long the state lasts at most.}
        keys: {type: integer, minimum: 0, description: How many the upstream has.}
        in_flight: {type: integer, description: Requests at the upstream.}
        limit: {type: integer, minimum: 1, description: Of requests in flight.}
        waiting: {type: integer, minimum: 0, description: Requests that wait for one in flight to end.}
        timeouts: {$ref: "#/components/schemas/ExplainedTimeouts"}
    ExplainedTimeouts:
      type: object
      required: [connect_ms, first_byte_ms, silence_ms]
      additionalProperties: false
      properties:
        connect_ms: {type: integer, minimum: 0}
        first_byte_ms: {type: integer, minimum: 0}
        silence_ms: {type: integer, minimum: 0}
        first_content_ms: {type: integer, minimum: 0}
    ExplainedRule:
      type: object
      required: [rule, member, changed]
      additionalProperties: false
      properties:
        rule: {type: string, enum: [default, override, strip, model, usage, format, drop], description: "The first three are configured; `model` is the name at the upstream, `usage` the wish for token counts, `format` the translation to what the upstream speaks, `drop` a member that this does not have."}
        member: {type: string, examples: [temperature]}
        changed: {type: boolean, description: Whether it changes this request.}
        before: {description: The value in the request; absent where it has none.}
        after: {description: The value that is sent; absent where none is.}
    ExplainedRequest:
      type: object
      description: What is sent to the first target that is not passed over.
      required: [upstream, method, url, fields, body, curl]
      additionalProperties: false
      properties:
        upstream: {type: string}
        method: {type: string, const: POST}
        url: {type: string}
        fields: {type: array, items: {$ref: "#/components/schemas/ExplainedField"}, description: In the order in which they are sent.}
        body: {type: object, additionalProperties: true}
        curl: {type: string, description: "The same for a shell; a body above 64 KiB is to be put into `body.json`."}
    ExplainedField:
      type: object
      required: [name, value]
      additionalProperties: false
      properties:
        name: {type: string}
        value: {type: string}
    ErrorDetail:
      type: object
      required: [message, type, param, code]
      additionalProperties: false
      properties:
        message: {type: string}
        type: {type: string, examples: [invalid_request_error, server_error]}
        param: {type: [string, "null"]}
        code: {type: [string, "null"], examples: [model_not_found, upstream_auth]}
    AnthropicError:
      type: object
      required: [type, error, request_id]
      additionalProperties: false
      properties:
        type: {type: string, const: error}
        error: {$ref: "#/components/schemas/AnthropicErrorDetail"}
        request_id: {type: string, description: The same as the header `request-id`.}
    AnthropicErrorDetail:
      type: object
      required: [type, message]
      additionalProperties: false
      properties:
        type: {type: string, examples: [invalid_request_error, not_found_error, overloaded_error, api_error]}
        message: {type: string}
    ErrorInEitherForm:
      oneOf:
        - $ref: "#/components/schemas/Error"
        - $ref: "#/components/schemas/AnthropicError"

"""##
}
