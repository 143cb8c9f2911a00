// Generated from openapi.yaml by openapi-generator; do not edit.

extension OpenAPIDocument {
    // swift-format-ignore
    static let yaml9 = ##"""
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
