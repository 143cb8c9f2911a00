// Generated from openapi.yaml by openapi-generator; do not edit.

extension OpenAPIDocument {
    // swift-format-ignore
    static let yaml3 = ##"""
        "415": {$ref: "#/components/responses/AnthropicNotJSON"}
        "429": {$ref: "#/components/responses/AnthropicTooManyRequests"}
        "502": {$ref: "#/components/responses/AnthropicUpstreamFailed"}
        "503": {$ref: "#/components/responses/AnthropicNotReady"}
        "504": {$ref: "#/components/responses/AnthropicUpstreamTimeout"}
        default: {$ref: "#/components/responses/AnthropicOtherError"}
  /models:
    get:
      operationId: listModels
      tags: [models]
      summary: The models that this key may use, by their public names.
      description: |
        In OpenAI's form, or in Anthropic's when the request carries `anthropic-version`; the same holds for errors. All models
        are on one page. Where a pattern such as `gpt-*` leads to an upstream (or `discover: true` stands at it), the models that it
        lists itself and that the pattern fits are listed too; they may be five minutes old.
      parameters: [{$ref: "#/components/parameters/AnthropicVersion"}]
      responses:
        "200":
          description: The models, in the order of the configuration; behind them those that upstreams list themselves.
          headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
          content:
            application/json:
              schema: {oneOf: [{$ref: "#/components/schemas/ModelList"}, {$ref: "#/components/schemas/AnthropicModelList"}]}
              example:
                object: list
                data: [{id: smollm2, object: model, created: 1763712000, owned_by: on-device, speaks: [chat, responses]}]
        "401": {$ref: "#/components/responses/UnauthorizedInEitherForm"}
        default: {$ref: "#/components/responses/ErrorInEitherForm"}
  /models/{model}:
    get:
      operationId: retrieveModel
      tags: [models]
      summary: One model.
      description: In OpenAI's form, or in Anthropic's when the request carries `anthropic-version`.
      parameters:
        - name: model
          in: path
          required: true
          description: The public name. It may hold slashes, percent-encoded or not.
          schema: {type: string}
          example: smollm2
        - $ref: "#/components/parameters/AnthropicVersion"
      responses:
        "200":
          description: The model is configured, and this key may use it.
          headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
          content:
            application/json:
              schema: {oneOf: [{$ref: "#/components/schemas/Model"}, {$ref: "#/components/schemas/AnthropicModel"}]}
              example: {id: smollm2, object: model, created: 1763712000, owned_by: on-device, speaks: [chat, responses]}
        "401": {$ref: "#/components/responses/UnauthorizedInEitherForm"}
        "404": {$ref: "#/components/responses/ErrorInEitherForm"}
        default: {$ref: "#/components/responses/ErrorInEitherForm"}
  /api/chat:
    servers: [{url: /}]
    post:
      operationId: ollamaChat
      x-headgate-relay: ollama
      tags: [ollama]
      summary: "A chat in Ollama's form: a stream, or whole with `stream: false`."
      description: |
        Always translated for the upstream. A stream is one JSON document on each line, of which the last one alone is `done`. One that
        breaks off ends with `{"error": "..."}` instead. Without messages nothing is asked: the answer says that the model is there.
      externalDocs: {url: "https://docs.ollama.com/api/chat"}
      parameters: [{$ref: "#/components/parameters/Explain"}, {$ref: "#/components/parameters/Fault"}]
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: "#/components/schemas/OllamaChatRequest"}
            example: {model: smollm2, messages: [{role: user, content: Say hello.}], stream: false}
      responses:
        "200":
          description: The message of the model.
          headers:
            x-request-id: {$ref: "#/components/headers/RequestID"}
            x-headgate-upstream: {$ref: "#/components/headers/Upstream"}
            x-headgate-attempts: {$ref: "#/components/headers/Attempts"}
            x-headgate-degraded: {$ref: "#/components/headers/Degraded"}
          content:
            application/json:
              schema: {$ref: "#/components/schemas/OllamaChatResponse"}
            application/x-ndjson:
              x-event-schema: {$ref: "#/components/schemas/OllamaChatResponse"}
              example: |
                {"model":"smollm2","created_at":"2026-01-01T00:00:00.000Z","message":{"role":"assistant","content":"Hello"},"done":false}
                {"model":"smollm2","created_at":"2026-01-01T00:00:00.100Z","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop"}
            application/vnd.headgate.explanation+json: {schema: {$ref: "#/components/schemas/Explanation"}}
        "400": {$ref: "#/components/responses/OllamaError"}
        "401": {$ref: "#/components/responses/OllamaUnauthorized"}
        "403": {$ref: "#/components/responses/OllamaError"}
        "404": {$ref: "#/components/responses/OllamaError"}
        "413": {$ref: "#/components/responses/OllamaError"}
        "415": {$ref: "#/components/responses/OllamaError"}
        "429": {$ref: "#/components/responses/OllamaRetryLater"}
        "502": {$ref: "#/components/responses/OllamaError"}
        "503": {$ref: "#/components/responses/OllamaRetryLater"}
        "504": {$ref: "#/components/responses/OllamaError"}
        default: {$ref: "#/components/responses/OllamaError"}
  /api/generate:
    servers: [{url: /}]
    post:
      operationId: ollamaGenerate
      x-headgate-relay: ollama
      tags: [ollama]
      summary: "The answer to one prompt in Ollama's form: a stream, or whole with `stream: false`."
      description: |
        The prompt is sent as a message of the user, `system` as one before it. Without a prompt nothing is asked: the answer says that
        the model is there. `raw` and `suffix`, which continue a text, are refused.
      externalDocs: {url: "https://docs.ollama.com/api/generate"}
      parameters: [{$ref: "#/components/parameters/Explain"}, {$ref: "#/components/parameters/Fault"}]
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: "#/components/schemas/OllamaGenerateRequest"}
            example: {model: smollm2, prompt: Say hello., stream: false}
      responses:
        "200":
          description: The answer of the model.
          headers:
            x-request-id: {$ref: "#/components/headers/RequestID"}
            x-headgate-upstream: {$ref: "#/components/headers/Upstream"}
            x-headgate-attempts: {$ref: "#/components/headers/Attempts"}
            x-headgate-degraded: {$ref: "#/components/headers/Degraded"}
          content:
            application/json:
              schema: {$ref: "#/components/schemas/OllamaGenerateResponse"}
            application/x-ndjson:
              x-event-schema: {$ref: "#/components/schemas/OllamaGenerateResponse"}
              example: |
                {"model":"smollm2","created_at":"2026-01-01T00:00:00.000Z","response":"Hello","done":false}
                {"model":"smollm2","created_at":"2026-01-01T00:00:00.100Z","response":"","done":true,"done_reason":"stop"}
            application/vnd.headgate.explanation+json: {schema: {$ref: "#/components/schemas/Explanation"}}
        "400": {$ref: "#/components/responses/OllamaError"}
        "401": {$ref: "#/components/responses/OllamaUnauthorized"}
        "403": {$ref: "#/components/responses/OllamaError"}
        "404": {$ref: "#/components/responses/OllamaError"}
        "413": {$ref: "#/components/responses/OllamaError"}
        "415": {$ref: "#/components/responses/OllamaError"}
        "429": {$ref: "#/components/responses/OllamaRetryLater"}
        "502": {$ref: "#/components/responses/OllamaError"}
        "503": {$ref: "#/components/responses/OllamaRetryLater"}
        "504": {$ref: "#/components/responses/OllamaError"}
        default: {$ref: "#/components/responses/OllamaError"}
  /api/embed:
    servers: [{url: /}]
    post:
      operationId: ollamaEmbed
      x-headgate-relay: ollama
      tags: [ollama]
      summary: The embeddings of texts, in Ollama's form.
      externalDocs: {url: "https://docs.ollama.com/api/embed"}
      parameters: [{$ref: "#/components/parameters/Explain"}, {$ref: "#/components/parameters/Fault"}]
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: "#/components/schemas/OllamaEmbedRequest"}
            example: {model: text-embedding-3-small, input: ["A gate at the head of a canal."]}
      responses:
        "200":
          description: One embedding for each input.
          headers:
            x-request-id: {$ref: "#/components/headers/RequestID"}
            x-headgate-upstream: {$ref: "#/components/headers/Upstream"}
            x-headgate-attempts: {$ref: "#/components/headers/Attempts"}
            x-headgate-degraded: {$ref: "#/components/headers/Degraded"}
          content:
            application/json:
              schema: {$ref: "#/components/schemas/OllamaEmbedResponse"}
            application/vnd.headgate.explanation+json: {schema: {$ref: "#/components/schemas/Explanation"}}
        "400": {$ref: "#/components/responses/OllamaError"}
        "401": {$ref: "#/components/responses/OllamaUnauthorized"}
        "403": {$ref: "#/components/responses/OllamaError"}
        "404": {$ref: "#/components/responses/OllamaError"}
        "413": {$ref: "#/components/responses/OllamaError"}
        "415": {$ref: "#/components/responses/OllamaError"}
        "429": {$ref: "#/components/responses/OllamaRetryLater"}
        "502": {$ref: "#/components/responses/OllamaError"}
        "503": {$ref: "#/components/responses/OllamaRetryLater"}
        "504": {$ref: "#/components/responses/OllamaError"}
        default: {$ref: "#/components/responses/OllamaError"}
  /api/embeddings:
    servers: [{url: /}]
    post:
      operationId: ollamaEmbeddings
      x-headgate-relay: ollama
      tags: [ollama]
      summary: "The embedding of one text, in Ollama's older form."
      externalDocs: {url: "https://docs.ollama.com/api/embed"}
      parameters: [{$ref: "#/components/parameters/Explain"}, {$ref: "#/components/parameters/Fault"}]
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: "#/components/schemas/OllamaEmbeddingsRequest"}
            example: {model: text-embedding-3-small, prompt: A gate at the head of a canal.}
      responses:
        "200":
          description: The embedding.
          headers:
            x-request-id: {$ref: "#/components/headers/RequestID"}
            x-headgate-upstream: {$ref: "#/components/headers/Upstream"}
            x-headgate-attempts: {$ref: "#/components/headers/Attempts"}
            x-headgate-degraded: {$ref: "#/components/headers/Degraded"}
          content:
            application/json:
              schema: {$ref: "#/components/schemas/OllamaEmbeddingsResponse"}
            application/vnd.headgate.explanation+json: {schema: {$ref: "#/components/schemas/Explanation"}}
        "400": {$ref: "#/components/responses/OllamaError"}
        "401": {$ref: "#/components/responses/OllamaUnauthorized"}
        "403": {$ref: "#/components/responses/OllamaError"}
        "404": {$ref: "#/components/responses/OllamaError"}
        "413": {$ref: "#/components/responses/OllamaError"}
        "415": {$ref: "#/components/responses/OllamaError"}
        "429": {$ref: "#/components/responses/OllamaRetryLater"}
        "502": {$ref: "#/components/responses/OllamaError"}
        "503": {$ref: "#/components/responses/OllamaRetryLater"}
        "504": {$ref: "#/components/responses/OllamaError"}
        default: {$ref: "#/components/responses/OllamaError"}
  /api/tags:
    servers: [{url: /}]
    get:
      operationId: ollamaListModels
      tags: [ollama]
      summary: The models that this key may use, in Ollama's form.
      description: |
        The same names as `/v1/models`. The gateway has no files of models: `size` is 0 and `digest` is made of the name.
      externalDocs: {url: "https://docs.ollama.com/api/tags"}
      responses:
        "200":
          description: The models, in the order of the configuration; behind them those that upstreams list themselves.
          headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
          content:
            application/json: {schema: {$ref: "#/components/schemas/OllamaModelList"}}
        "401": {$ref: "#/components/responses/OllamaUnauthorized"}
        default: {$ref: "#/components/responses/OllamaError"}
  /api/show:
    servers: [{url: /}]
    post:
      operationId: ollamaShowModel
      x-headgate-relay: ollama
      tags: [ollama]
      summary: What is known of a model, in Ollama's form.
      description: |
        `capabilities` are what the gateway knows: every model completes, all but the on-device one may be given tools, and those of
        Anthropic see pictures. `model_info` has a context length where it is known.
      externalDocs: {url: "https://docs.ollama.com/api/show"}
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: "#/components/schemas/OllamaShowRequest"}
            example: {model: smollm2}
      responses:
        "200":
          description: The model is configured, and this key may use it.
          headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
          content:
            application/json: {schema: {$ref: "#/components/schemas/OllamaModelDetails"}}
        "400": {$ref: "#/components/responses/OllamaError"}
        "401": {$ref: "#/components/responses/OllamaUnauthorized"}
        "404": {$ref: "#/components/responses/OllamaError"}
        default: {$ref: "#/components/responses/OllamaError"}
  /api/ps:
    servers: [{url: /}]
    get:
      operationId: ollamaListRunning
      tags: [ollama]
      summary: The models on this machine, in Ollama's form.
      description: Those of upstreams that need no network. Whether one of them is loaded at the moment is not known.
      externalDocs: {url: "https://docs.ollama.com/api/ps"}
      responses:
        "200":
          description: The models, in the order of the configuration.
          headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
          content:
            application/json: {schema: {$ref: "#/components/schemas/OllamaRunningList"}}
        "401": {$ref: "#/components/responses/OllamaUnauthorized"}
        default: {$ref: "#/components/responses/OllamaError"}
  /api/version:
    servers: [{url: /}]
    get:
      operationId: ollamaVersion
      tags: [ollama]
      summary: The version of Ollama's API that this is like.
      security: []
      responses:
        "200":
          description: The version, and that of the gateway.
          headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
          content:
            application/json:
              schema: {$ref: "#/components/schemas/OllamaVersion"}
              example: {version: 0.12.6, headgate: 0.1.0}
        default: {$ref: "#/components/responses/OllamaError"}
  /:
    servers: [{url: /}]
    get:
      operationId: getChatPage
      tags: [gateway]
      summary: A chat with the models, as a page.
      description: The page holds no data and loads nothing from elsewhere; it asks for a key where the gateway has keys.
      security: []
      responses:
        "200":
          description: The page.
          headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
          content: {text/html: {}}
        default: {$ref: "#/components/responses/OtherError"}
  /web/{asset}:
    servers: [{url: /}]
    get:
      operationId: getWebAsset
      tags: [gateway]
      summary: A script, style sheet or picture of the chat and status pages.
      security: []
      parameters:
        - name: asset
          in: path
          required: true
          description: The name of the file.
          schema: {type: string}
          example: chat.js
      responses:
        "200":
          description: The file.
          headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
          content:
            text/javascript: {}
            text/css: {}
            image/svg+xml: {}
        "404": {$ref: "#/components/responses/OtherError"}
        default: {$ref: "#/components/responses/OtherError"}
  /status:
    servers: [{url: /}]
    get:
      operationId: getStatusPage
      tags: [gateway]
      summary: How the gateway is doing, as a page.
      description: The page holds no data. What it shows it asks for at /status/data, with the reader's key.
      security: []
      responses:
        "200":
          description: The page.
          headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
          content: {text/html: {}}
        default: {$ref: "#/components/responses/OtherError"}
  /status/data:
    servers: [{url: /}]
    get:
      operationId: getStatus
      tags: [gateway]
      summary: How the gateway and its upstreams are doing, and how the last requests ended.
      description: |
        Needs a key with `admin: true`, where the gateway has keys at all. Names, counts and times: no content, and no address of a
        client. Pages and health checks do not count as requests.
      responses:
        "200":
          description: The state at this moment.
          headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
          content: {application/json: {schema: {$ref: "#/components/schemas/Status"}}}
        "401": {$ref: "#/components/responses/Unauthorized"}
        "403": {$ref: "#/components/responses/Forbidden"}
        default: {$ref: "#/components/responses/OtherError"}
  /livez:
    servers: [{url: /}]
    get:
      operationId: getLiveness
      tags: [gateway]
      summary: Whether the process answers at all.
      security: []
      responses:
        "200": {$ref: "#/components/responses/Health"}
        default: {$ref: "#/components/responses/OtherError"}
  /readyz:
    servers: [{url: /}]
    get:
      operationId: getReadiness
      tags: [gateway]
      summary: Whether the gateway wants new requests.
      description: |
        With `?verbose` also what is known of upstreams and models; that needs a key with `admin: true`, where the gateway has keys
        at all. A gateway that has lost an upstream is still ready.
      security: []
      parameters: [{$ref: "#/components/parameters/Verbose"}]
      responses:
        "200": {$ref: "#/components/responses/Ready"}
        "401": {$ref: "#/components/responses/Unauthorized"}
        "403": {$ref: "#/components/responses/Forbidden"}
        "503": {$ref: "#/components/responses/Draining"}
        default: {$ref: "#/components/responses/OtherError"}
  /healthz:
    servers: [{url: /}]
    get:
      operationId: getHealth
      tags: [gateway]
      summary: The same as /readyz, under the name that many tools expect.
      description: |
"""##
}
