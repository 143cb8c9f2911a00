// Generated from openapi.yaml by openapi-generator; do not edit.

extension OpenAPIDocument {
    // swift-format-ignore
    static let yaml6 = ##"""
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
      description: |
        No such model is configured (the message names the one that was asked for), or the request is to be answered from a recording
        and none is of it (code `not_recorded`).
      headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
      content: {application/json: {schema: {$ref: "#/components/schemas/Error"}}}
    UnknownStream:
      description: No such stream, or another key's, or one that was stopped, has expired or was lost with a restart of the gateway.
      headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
      content: {application/json: {schema: {$ref: "#/components/schemas/Error"}}}
    UnknownUsage:
      description: The gateway keeps no usage.
      headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
      content: {application/json: {schema: {$ref: "#/components/schemas/Error"}}}
    NotInspected:
      description: The gateway stores no content of requests, or newer requests have displaced this one.
      headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
      content: {application/json: {schema: {$ref: "#/components/schemas/Error"}}}
    UnknownPairing:
      description: The code is unknown, has been used, or has expired.
      headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
      content: {application/json: {schema: {$ref: "#/components/schemas/Error"}}}
    UnknownKey:
      description: There is no key with that name.
      headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
      content: {application/json: {schema: {$ref: "#/components/schemas/Error"}}}
    UnknownProgram:
      description: There is no upstream with that name whose program the gateway runs.
      headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
      content: {application/json: {schema: {$ref: "#/components/schemas/Error"}}}
    KeyConflict:
      description: There is a key with that name already, or it is one of the configuration.
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
    UnknownConversation:
      description: The gateway keeps no such conversation, or no such item of it, or it is another key's.
      headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
      content: {application/json: {schema: {$ref: "#/components/schemas/Error"}}}
    BusyConversation:
      description: A response is being made in this conversation (`conversation_locked`).
      headers:
        x-request-id: {$ref: "#/components/headers/RequestID"}
        retry-after: {$ref: "#/components/headers/RetryAfter"}
      content: {application/json: {schema: {$ref: "#/components/schemas/Error"}}}
    TooLarge:
      description: The body is larger than the configured limit.
      headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
      content: {application/json: {schema: {$ref: "#/components/schemas/Error"}}}
    NotJSON:
      description: The body is not application/json, or is compressed in another way than gzip, deflate or zstd.
      headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
      content: {application/json: {schema: {$ref: "#/components/schemas/Error"}}}
    NotAForm:
      description: The body is not multipart/form-data with a boundary, or is compressed.
      headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
      content: {application/json: {schema: {$ref: "#/components/schemas/Error"}}}
    TooManyRequests:
      description: |
        A limit of the key, its group or the model is reached (`rate_limit_exceeded`), a budget is used up (`budget_exceeded`), the
        upstream wants fewer requests, or too many wrong keys came from this address (`too_many_wrong_keys`).
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
        The upstream is starting or overloaded, no target of the model takes requests now (`no_target_available`), it is not
        known what is left of a strict budget (`budget_unavailable`), or the gateway is shutting down or at its connection limit.
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
      description: |
        No such model is configured (the message names the one that was asked for), or the request is to be answered from a recording
        and none is of it (code `not_recorded`).
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
      description: The body is not application/json, or is compressed in another way than gzip, deflate or zstd.
      headers:
        x-request-id: {$ref: "#/components/headers/RequestID"}
        request-id: {$ref: "#/components/headers/RequestID"}
      content: {application/json: {schema: {$ref: "#/components/schemas/AnthropicError"}}}
    AnthropicTooManyRequests:
      description: |
        A limit of the key, its group or the model is reached (`rate_limit_exceeded`), a budget is used up (`budget_exceeded`), the
        upstream wants fewer requests, or too many wrong keys came from this address (`too_many_wrong_keys`).
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
    OllamaError:
      description: What went wrong, in Ollama's form.
      headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
      content: {application/json: {schema: {$ref: "#/components/schemas/OllamaError"}}}
    OllamaUnauthorized:
      description: No valid gateway key was sent.
      headers:
        x-request-id: {$ref: "#/components/headers/RequestID"}
        www-authenticate: {$ref: "#/components/headers/Challenge"}
      content: {application/json: {schema: {$ref: "#/components/schemas/OllamaError"}}}
    OllamaRetryLater:
      description: The upstream, or the gateway, takes no request now.
      headers:
        x-request-id: {$ref: "#/components/headers/RequestID"}
        retry-after: {$ref: "#/components/headers/RetryAfter"}
        retry-after-ms: {$ref: "#/components/headers/RetryAfterMilliseconds"}
        x-should-retry: {$ref: "#/components/headers/ShouldRetry"}
      content: {application/json: {schema: {$ref: "#/components/schemas/OllamaError"}}}
  schemas:
    OllamaError:
      type: object
      required: [error]
      additionalProperties: false
      properties:
        error: {type: string, description: "What is wrong, and what to do."}
    OllamaTurn:
      type: object
      description: |
        Besides these: `images` (PNG, JPEG, GIF or WebP in base64), `thinking`, `tool_calls`, and of results `tool_name` or
        `tool_call_id`.
      required: [role]
      additionalProperties: true
      properties:
        role: {type: string, enum: [system, user, assistant, tool]}
        content: {type: [string, "null"]}
    OllamaMessage:
      type: object
      required: [role, content]
      additionalProperties: true
      properties:
        role: {type: string, const: assistant}
        content: {type: string}
        thinking: {type: string}
        tool_calls: {type: array, items: {$ref: "#/components/schemas/OllamaToolCall"}}
    OllamaToolCall:
      type: object
      required: [id, function]
      additionalProperties: true
      properties:
        id: {type: string}
        function: {type: object, additionalProperties: true, description: "`name`, `index` among the calls, and `arguments`, an object."}
    OllamaChatRequest:
      type: object
      description: |
        Besides these: `tools`, `format` (`"json"` or a JSON Schema), `think` (true, false or a level), `keep_alive` (accepted) and
        `options`: `temperature`, `top_p`, `top_k`, `seed`, `num_predict`, `stop`, `presence_penalty`, `frequency_penalty`. What the
        upstream's API lacks, such as `num_ctx`, is dropped and named in `x-headgate-dropped`.
      required: [model]
      additionalProperties: true
      properties:
        model: {$ref: "#/components/schemas/ModelName"}
        messages: {type: [array, "null"], items: {$ref: "#/components/schemas/OllamaTurn"}}
        stream: {type: [boolean, "null"], description: Without it the answer is a stream.}
    OllamaChatResponse:
      type: object
      description: A line of a stream, or the whole response.
      required: [model, created_at, message, done]
      additionalProperties: true
      properties:
        model: {type: string}
        created_at: {type: string, format: date-time}
        message: {$ref: "#/components/schemas/OllamaMessage"}
        done: {type: boolean}
        done_reason: {type: string, enum: [stop, length, content_filter, load, unload]}
        total_duration: {type: integer, description: Nanoseconds; all of them as the gateway measures them.}
        load_duration: {type: integer, description: Always 0.}
        prompt_eval_count: {type: integer}
        prompt_eval_duration: {type: integer, description: "Of a stream: until its first content."}
        eval_count: {type: integer}
        eval_duration: {type: integer}
    OllamaGenerateRequest:
      type: object
      description: "Besides these: `system`, `images`, and all that a chat takes but `messages` and `tools`."
      required: [model]
      additionalProperties: true
      properties:
        model: {$ref: "#/components/schemas/ModelName"}
        prompt: {type: [string, "null"]}
        stream: {type: [boolean, "null"], description: Without it the answer is a stream.}
    OllamaGenerateResponse:
      type: object
      description: A line of a stream, or the whole response.
      required: [model, created_at, response, done]
      additionalProperties: true
      properties:
        model: {type: string}
        created_at: {type: string, format: date-time}
        response: {type: string}
        thinking: {type: string}
        done: {type: boolean}
        done_reason: {type: string, enum: [stop, length, content_filter, load, unload]}
    OllamaEmbedRequest:
      type: object
      description: "Besides these: `dimensions`."
      required: [model]
      additionalProperties: true
      properties:
        model: {$ref: "#/components/schemas/ModelName"}
        input: {description: One text or several., oneOf: [{type: [string, "null"]}, {type: array, items: {type: string}}]}
    OllamaEmbedResponse:
      type: object
      required: [model, embeddings]
      additionalProperties: true
      properties:
        model: {type: string}
        embeddings: {type: array, items: {type: array, items: {type: number}}}
        total_duration: {type: integer, description: Nanoseconds.}
        load_duration: {type: integer, description: Always 0.}
        prompt_eval_count: {type: integer}
    OllamaEmbeddingsRequest:
      type: object
      required: [model]
      additionalProperties: true
      properties:
        model: {$ref: "#/components/schemas/ModelName"}
        prompt: {type: [string, "null"]}
    OllamaEmbeddingsResponse:
      type: object
      required: [embedding]
      additionalProperties: true
      properties:
        embedding: {type: array, items: {type: number}}
    OllamaDetails:
      type: object
      required: [parent_model, format, family, families, parameter_size, quantization_level]
      additionalProperties: false
      properties:
        parent_model: {type: string}
        format: {type: string}
        family: {type: string, description: The upstream's name; with several targets that of the first.}
        families: {type: array, items: {type: string}}
        parameter_size: {type: string}
        quantization_level: {type: string}
        context_length:
          type: integer
          minimum: 1
          description: Maximum tokens of prompt and completion together. Absent if no upstream lists it.
    OllamaModel:
      type: object
      required: [name, model, modified_at, size, digest, details]
      additionalProperties: false
      properties:
        name: {type: string}
        model: {type: string, description: The same.}
        modified_at: {type: string, format: date-time, description: When the gateway started.}
        size: {type: integer, description: Always 0.}
        digest: {type: string, description: SHA-256 of the name.}
        details: {$ref: "#/components/schemas/OllamaDetails"}
        capabilities:
          type: array
          items: {type: string}
          description: Common capabilities of all targets, as far as they are known.
    OllamaModelList:
      type: object
      required: [models]
      additionalProperties: false
      properties:
        models: {type: array, items: {$ref: "#/components/schemas/OllamaModel"}}
    OllamaRunningModel:
      type: object
      required: [name, model, size, digest, details, expires_at, size_vram]
      additionalProperties: false
      properties:
        name: {type: string}
        model: {type: string, description: The same.}
        size: {type: integer, description: Always 0.}
"""##
}
