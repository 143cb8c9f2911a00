// Generated from openapi.yaml by openapi-generator; do not edit.

extension OpenAPIDocument {
    // swift-format-ignore
    static let yaml7 = ##"""
        digest: {type: string, description: SHA-256 of the name.}
        details: {$ref: "#/components/schemas/OllamaDetails"}
        expires_at: {type: string, format: date-time, description: "Far away: the gateway unloads nothing."}
        size_vram: {type: integer, description: Always 0.}
        context_length: {type: integer, description: Tokens; where it is known.}
    OllamaRunningList:
      type: object
      required: [models]
      additionalProperties: false
      properties:
        models: {type: array, items: {$ref: "#/components/schemas/OllamaRunningModel"}}
    OllamaShowRequest:
      type: object
      required: [model]
      additionalProperties: true
      properties:
        model: {$ref: "#/components/schemas/ModelName"}
    OllamaModelDetails:
      type: object
      required: [license, modelfile, parameters, template, modified_at, details, model_info, capabilities]
      additionalProperties: true
      properties:
        license: {type: string, description: Empty.}
        modelfile: {type: string, description: Empty.}
        parameters: {type: string, description: Empty.}
        template: {type: string, description: Empty.}
        modified_at: {type: string, format: date-time, description: When the gateway started.}
        details: {$ref: "#/components/schemas/OllamaDetails"}
        model_info: {type: object, additionalProperties: true}
        capabilities: {type: array, items: {type: string}}
    OllamaVersion:
      type: object
      required: [version, headgate]
      additionalProperties: false
      properties:
        version: {type: string}
        headgate: {type: string, description: The gateway's own version.}
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
        counters: {$ref: "#/components/schemas/ReadinessCounters"}
        ledger: {$ref: "#/components/schemas/ReadinessLedger"}
        cache: {$ref: "#/components/schemas/ReadinessCache"}
        responses: {$ref: "#/components/schemas/ReadinessResponses"}
    ReadinessLedger:
      type: object
      description: Where it is kept what requests use, in verbose answers of gateways that do.
      required: [working, pending, dropped]
      additionalProperties: false
      properties:
        working: {type: boolean}
        pending: {type: integer, minimum: 0, description: Requests that have ended and are not written yet.}
        dropped: {type: integer, minimum: 0, description: Requests since the start that there was no room for.}
    ReadinessCache:
      type: object
      description: The server of cached responses, in verbose answers of gateways that have one.
      required: [working, damaged, lost]
      additionalProperties: false
      properties:
        working: {type: boolean, description: "Whether it answers; while it does not, nothing is found there."}
        damaged: {type: integer, minimum: 0, description: Entries since the start that were no responses of a gateway.}
        lost: {type: integer, minimum: 0, description: Responses since the start that it did not take.}
    ReadinessCounters:
      type: object
      description: Where limits are counted for several gateways, in verbose answers of gateways that share them.
      required: [working]
      additionalProperties: false
      properties:
        working: {type: boolean, description: "Whether it answers; while it does not, this gateway counts by itself."}
    ReadinessResponses:
      type: object
      description: The store of responses, in verbose answers of gateways that have one.
      required: [working, lost, removed]
      additionalProperties: false
      properties:
        working: {type: boolean, description: Whether what was to be kept last has been written.}
        lost: {type: integer, minimum: 0, description: Responses and turns of conversations since the start that could not be written.}
        removed:
          type: integer
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
      description: A public model name, of at most 512 bytes as JSON.
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
"""##
}
