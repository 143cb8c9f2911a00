// Generated from openapi.yaml by openapi-generator; do not edit.

extension OpenAPIDocument {
    // swift-format-ignore
    static let yaml3 = ##"""
    RetryAfter:
      description: Seconds, at most 120.
      schema: {type: integer, minimum: 0, maximum: 120}
    RetryAfterMilliseconds:
      description: The same, finer, where the upstream says so.
      schema: {type: integer, minimum: 0}
    ShouldRetry:
      description: Whether SDKs should try again, where the status alone would mislead them.
      schema: {type: string, enum: ["true", "false"]}
    Upstream:
      description: The name of the upstream that it comes from. This and the other fields of the gateway's own can be turned off.
      schema: {type: string}
    Attempts:
      description: How many requests were sent for it, where it took more than one.
      schema: {type: integer, minimum: 2}
    Degraded:
      description: "Why it does not come from a better place: `offline` where nothing but this machine could be reached."
      schema: {type: string, enum: [offline]}
    Challenge:
      required: true
      description: How to present a key.
      schema: {type: string, const: Bearer}
  responses:
    Health:
      description: Yes.
      headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
      content:
        application/json:
          schema: {$ref: "#/components/schemas/Health"}
          example: {status: ok}
    Ready:
      description: Yes.
      headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
      content:
        application/json:
          schema: {$ref: "#/components/schemas/Readiness"}
          example: {status: ok}
    Draining:
      description: The gateway is shutting down.
      headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
      content:
        application/json:
          schema: {$ref: "#/components/schemas/Readiness"}
          example: {status: draining}
    BadRequest:
      description: The request is malformed, or it needs what the format of the model's upstream does not have; the message names the place.
      headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
      content: {application/json: {schema: {$ref: "#/components/schemas/Error"}}}
    Unauthorized:
      description: No valid gateway key was sent.
      headers:
        x-request-id: {$ref: "#/components/headers/RequestID"}
        www-authenticate: {$ref: "#/components/headers/Challenge"}
      content: {application/json: {schema: {$ref: "#/components/schemas/Error"}}}
    Forbidden:
      description: |
        This key may not use that model or see that data, the request came from a foreign web page, or the
        upstream refused what was asked, such as a region, a content or a project, in its own words.
      headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
      content: {application/json: {schema: {$ref: "#/components/schemas/Error"}}}
    UnknownModel:
      description: No such model is configured; the message names the one that was asked for.
      headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
      content: {application/json: {schema: {$ref: "#/components/schemas/Error"}}}
    UnknownModelOrResponse:
      description: No such model is configured, or the request goes on from a response that this key may not reach.
      headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
      content: {application/json: {schema: {$ref: "#/components/schemas/Error"}}}
    UnknownResponse:
      description: The upstream has kept no such response, or it is another key's.
      headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
      content: {application/json: {schema: {$ref: "#/components/schemas/Error"}}}
    TooLarge:
      description: The body is larger than the configured limit.
      headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
      content: {application/json: {schema: {$ref: "#/components/schemas/Error"}}}
    NotJSON:
      description: The body is not application/json, or is compressed.
      headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
      content: {application/json: {schema: {$ref: "#/components/schemas/Error"}}}
    TooManyRequests:
      description: The upstream wants fewer requests, or too many wrong keys came from this address (`too_many_wrong_keys`).
      headers:
        x-request-id: {$ref: "#/components/headers/RequestID"}
        retry-after: {$ref: "#/components/headers/RetryAfter"}
        retry-after-ms: {$ref: "#/components/headers/RetryAfterMilliseconds"}
        x-should-retry: {$ref: "#/components/headers/ShouldRetry"}
      content: {application/json: {schema: {$ref: "#/components/schemas/Error"}}}
    UpstreamFailed:
      description: |
        The upstream could not be reached, refused the gateway's own key (`upstream_auth`), or sent what cannot be relayed.
      headers:
        x-request-id: {$ref: "#/components/headers/RequestID"}
        x-should-retry: {$ref: "#/components/headers/ShouldRetry"}
      content: {application/json: {schema: {$ref: "#/components/schemas/Error"}}}
    NotReady:
      description: |
        The upstream is starting or overloaded, no target of the model takes requests now (`no_target_available`), or the gateway
        is shutting down or at its connection limit.
      headers:
        x-request-id: {$ref: "#/components/headers/RequestID"}
        retry-after: {$ref: "#/components/headers/RetryAfter"}
        retry-after-ms: {$ref: "#/components/headers/RetryAfterMilliseconds"}
        x-should-retry: {$ref: "#/components/headers/ShouldRetry"}
      content: {application/json: {schema: {$ref: "#/components/schemas/Error"}}}
    UpstreamTimeout:
      description: |
        The upstream did not answer in time, or all attempts together took longer than the model's configuration allows
        (`request_timeout`).
      headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
      content: {application/json: {schema: {$ref: "#/components/schemas/Error"}}}
    OtherError:
      description: Another error of the gateway, or of the upstream with its status, message, type, param and code.
      headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
      content: {application/json: {schema: {$ref: "#/components/schemas/Error"}}}
    UnauthorizedInEitherForm:
      description: No valid gateway key was sent.
      headers:
        x-request-id: {$ref: "#/components/headers/RequestID"}
        www-authenticate: {$ref: "#/components/headers/Challenge"}
      content: {application/json: {schema: {$ref: "#/components/schemas/ErrorInEitherForm"}}}
    ErrorInEitherForm:
      description: What went wrong.
      headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
      content: {application/json: {schema: {$ref: "#/components/schemas/ErrorInEitherForm"}}}
    AnthropicBadRequest:
      description: The request is malformed, or it needs what the format of the model's upstream does not have; the message names the place.
      headers:
        x-request-id: {$ref: "#/components/headers/RequestID"}
        request-id: {$ref: "#/components/headers/RequestID"}
      content: {application/json: {schema: {$ref: "#/components/schemas/AnthropicError"}}}
    AnthropicUnauthorized:
      description: No valid gateway key was sent.
      headers:
        x-request-id: {$ref: "#/components/headers/RequestID"}
        request-id: {$ref: "#/components/headers/RequestID"}
        www-authenticate: {$ref: "#/components/headers/Challenge"}
      content: {application/json: {schema: {$ref: "#/components/schemas/AnthropicError"}}}
    AnthropicForbidden:
      description: |
        This key may not use that model or see that data, the request came from a foreign web page, or the
        upstream refused what was asked, such as a region, a content or a project, in its own words.
      headers:
        x-request-id: {$ref: "#/components/headers/RequestID"}
        request-id: {$ref: "#/components/headers/RequestID"}
      content: {application/json: {schema: {$ref: "#/components/schemas/AnthropicError"}}}
    AnthropicUnknownModel:
      description: No such model is configured; the message names the one that was asked for.
      headers:
        x-request-id: {$ref: "#/components/headers/RequestID"}
        request-id: {$ref: "#/components/headers/RequestID"}
      content: {application/json: {schema: {$ref: "#/components/schemas/AnthropicError"}}}
    AnthropicTooLarge:
      description: The body is larger than the configured limit.
      headers:
        x-request-id: {$ref: "#/components/headers/RequestID"}
        request-id: {$ref: "#/components/headers/RequestID"}
      content: {application/json: {schema: {$ref: "#/components/schemas/AnthropicError"}}}
    AnthropicNotJSON:
      description: The body is not application/json, or is compressed.
      headers:
        x-request-id: {$ref: "#/components/headers/RequestID"}
        request-id: {$ref: "#/components/headers/RequestID"}
      content: {application/json: {schema: {$ref: "#/components/schemas/AnthropicError"}}}
    AnthropicTooManyRequests:
      description: The upstream wants fewer requests, or too many wrong keys came from this address (`too_many_wrong_keys`).
      headers:
        x-request-id: {$ref: "#/components/headers/RequestID"}
        request-id: {$ref: "#/components/headers/RequestID"}
        retry-after: {$ref: "#/components/headers/RetryAfter"}
        retry-after-ms: {$ref: "#/components/headers/RetryAfterMilliseconds"}
        x-should-retry: {$ref: "#/components/headers/ShouldRetry"}
      content: {application/json: {schema: {$ref: "#/components/schemas/AnthropicError"}}}
    AnthropicUpstreamFailed:
      description: |
        The upstream could not be reached, refused the gateway's own key (`upstream_auth`), or sent what cannot be relayed.
      headers:
        x-request-id: {$ref: "#/components/headers/RequestID"}
        request-id: {$ref: "#/components/headers/RequestID"}
        x-should-retry: {$ref: "#/components/headers/ShouldRetry"}
      content: {application/json: {schema: {$ref: "#/components/schemas/AnthropicError"}}}
    AnthropicNotReady:
      description: |
        The upstream is starting or overloaded, no target of the model takes requests now (`no_target_available`), or the gateway
        is shutting down or at its connection limit.
      headers:
        x-request-id: {$ref: "#/components/headers/RequestID"}
        request-id: {$ref: "#/components/headers/RequestID"}
        retry-after: {$ref: "#/components/headers/RetryAfter"}
        retry-after-ms: {$ref: "#/components/headers/RetryAfterMilliseconds"}
        x-should-retry: {$ref: "#/components/headers/ShouldRetry"}
      content: {application/json: {schema: {$ref: "#/components/schemas/AnthropicError"}}}
    AnthropicUpstreamTimeout:
      description: |
        The upstream did not answer in time, or all attempts together took longer than the model's configuration allows
        (`request_timeout`).
      headers:
        x-request-id: {$ref: "#/components/headers/RequestID"}
        request-id: {$ref: "#/components/headers/RequestID"}
      content: {application/json: {schema: {$ref: "#/components/schemas/AnthropicError"}}}
    AnthropicOtherError:
      description: Another error of the gateway, or of the upstream with its status, message and type.
      headers:
        x-request-id: {$ref: "#/components/headers/RequestID"}
        request-id: {$ref: "#/components/headers/RequestID"}
      content: {application/json: {schema: {$ref: "#/components/schemas/AnthropicError"}}}
  schemas:
    Health:
      type: object
      required: [status]
      additionalProperties: false
      properties:
        status: {type: string, enum: [ok, draining]}
    Readiness:
      type: object
      description: The lists are there only in verbose answers.
      required: [status]
      additionalProperties: false
      properties:
        status: {type: string, enum: [ok, draining]}
        upstreams: {type: array, items: {$ref: "#/components/schemas/ReadinessUpstream"}, description: In the order of the configuration.}
        models: {type: array, items: {$ref: "#/components/schemas/ReadinessModel"}, description: Those with several targets or a breaker.}
    ReadinessUpstream:
      type: object
      required: [name, reachable, healthy, offline, open_breakers]
      additionalProperties: false
      properties:
        name: {type: string}
        reachable: {type: [boolean, "null"], description: "Whether it answered the last time; null while nothing was asked."}
        healthy: {type: [boolean, "null"], description: "What the last active check said; null without one."}
        offline: {type: boolean, description: Whether a connection has just found no route to it or no such name.}
        open_breakers: {type: integer, minimum: 0, description: Targets of it that get no requests after failures.}
    ReadinessModel:
      type: object
      required: [name, usable]
      additionalProperties: false
      properties:
        name: {type: string, description: "Or the pattern, as configured."}
        usable: {type: boolean, description: Whether one target at least has shown no reason to leave it alone.}
    Document:
      type: object
      description: An OpenAPI document.
      required: [openapi, info, paths]
      additionalProperties: true
      properties:
        openapi: {type: string, const: 3.1.0}
        info: {type: object, additionalProperties: true}
        paths: {type: object, additionalProperties: true}
    Model:
      type: object
      required: [id, object, created, owned_by]
      additionalProperties: false
      properties:
        id: {type: string}
        object: {type: string, const: model}
        created: {type: integer, description: Seconds since 1970; when the gateway started.}
        owned_by: {type: string, description: "The upstream's name; with several targets that of the first."}
        speaks:
          type: array
          description: |
            The formats of conversations that a target of it takes as they are: `chat`, `responses`, `messages`. Requests in
            another are translated.
          items: {type: string}
    ModelList:
      type: object
      required: [object, data]
      additionalProperties: false
      properties:
        object: {type: string, const: list}
        data: {type: array, items: {$ref: "#/components/schemas/Model"}}
    AnthropicModel:
      type: object
      required: [type, id, display_name, created_at, lifecycle]
      additionalProperties: false
      properties:
        type: {type: string, const: model}
        id: {type: string}
        display_name: {type: string, description: The same as the id.}
        created_at: {type: string, format: date-time, description: When the gateway started.}
        lifecycle: {type: string, const: active}
    AnthropicModelList:
      type: object
      required: [data, has_more, first_id, last_id]
      additionalProperties: false
      properties:
        data: {type: array, items: {$ref: "#/components/schemas/AnthropicModel"}}
        has_more: {type: boolean, const: false}
        first_id: {type: [string, "null"]}
        last_id: {type: [string, "null"]}
    ModelName:
      type: string
      minLength: 1
      maxLength: 512
      description: A public model name. Its JSON may take 512 octets.
    StreamSwitch:
      type: [boolean, "null"]
      description: Whether the answer is a stream.
    ChoiceCount:
      type: [integer, "null"]
      minimum: 1
      maximum: 128
      description: How many answers are wanted.
    StreamOptions:
      type: [object, "null"]
      additionalProperties: true
      properties:
        include_usage:
          description: |
            Usage is always asked of the upstream; the event that carries it is passed on only when this is true.
    ChatCompletionRequest:
      type: object
      required: [model, messages]
      additionalProperties: true
      properties:
        model: {$ref: "#/components/schemas/ModelName"}
        messages: {type: array}
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
        stream: {enum: [false, null], description: Images are not streamed.}
    SpeechRequest:
      type: object
      required: [model]
      additionalProperties: true
      properties:
        model: {$ref: "#/components/schemas/ModelName"}
        stream_format: {enum: [audio, null], description: Speech is not relayed as events.}
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
"""##
}
