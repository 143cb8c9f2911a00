// Generated from openapi.yaml by openapi-generator; do not edit.

extension OpenAPIDocument {
    // swift-format-ignore
    static let yaml7 = ##"""
          minimum: 0
          description: Responses and conversations since the start that made room for others before their time.
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
        key: {type: string, description: "State of the command that prints the key: ready, or why there is no newer key. Never the key itself."}
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
      description: |
        A model, with the members of the upstream's own list entry. With several targets it has the smallest context size
        and the common capabilities.
      required: [id, object, created, owned_by]
      properties:
        id: {type: string}
        object: {type: string, const: model}
        created:
          type: integer
          description: Seconds since 1970, as the upstream lists it; otherwise the start of the gateway.
        owned_by:
          type: string
          description: The owner that the upstream lists; otherwise the name of the first target's upstream.
        upstream:
          type: string
          description: The name of the first target's upstream, if its list states another owner.
        context_length:
          type: integer
          minimum: 1
          description: Maximum tokens of prompt and completion together. Absent if no upstream lists it.
        speaks:
          type: array
          description: |
            The formats of conversations that a target of it takes as they are: `chat`, `responses`, `messages`. Requests in
            another are translated.
          items: {type: string}
        location:
          type: string
          enum: [device, local, cloud]
          description: Where the first target runs.
        pricing: {$ref: "#/components/schemas/ModelPricing"}
    ModelPricing:
      type: object
      description: |
        Prices in USD per token: those of the upstream's list, otherwise of the gateway's price list. Absent if neither
        knows the model.
      properties:
        prompt: {type: string, examples: ["0.00000075"]}
        completion: {type: string, examples: ["0.0000045"]}
    ModelList:
      type: object
      required: [object, data]
      additionalProperties: false
      properties:
        object: {type: string, const: list}
        data: {type: array, items: {$ref: "#/components/schemas/Model"}}
    AnthropicModel:
      type: object
      description: A model, with the members of the upstream's own list entry.
      required: [type, id, display_name, created_at, lifecycle]
      properties:
        type: {type: string, const: model}
        id: {type: string}
        display_name: {type: string, description: The name that the upstream lists; otherwise the id.}
        created_at:
          type: string
          format: date-time
          description: The time that the upstream lists; otherwise the start of the gateway.
        lifecycle: {type: string, description: "`active` unless the upstream lists another stage."}
        max_input_tokens:
          type: integer
          minimum: 1
          description: Maximum tokens of a prompt. Absent if no upstream lists a context size.
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
    ResponseHistoryRequest:
      type: object
      required: [model]
      additionalProperties: true
      properties:
        model: {$ref: "#/components/schemas/ModelName"}
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
"""##
}
