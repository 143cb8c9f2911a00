// Generated from openapi.yaml by openapi-generator; do not edit.

extension OpenAPIDocument {
    // swift-format-ignore
    static let yaml4 = ##"""
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
            x-headgate-cost-usd: {$ref: "#/components/headers/CostUSD"}
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
  /usage:
    get:
      operationId: getUsage
      tags: [gateway]
      summary: What requests have used, and what that costs.
      description: |
        A key with `admin: true`, or a gateway without keys, sees all requests, and any other key its own. With `ledger: none` in the
        configuration the answer is 404. A request is here a moment after its end. While a key's question is being answered another one of
        it gets a 503 with `retry-after`.
      parameters:
        - name: by
          in: query
          description: What rows are made of, `key` without it. Days and minutes are in UTC.
          schema: {type: string, enum: [key, model, upstream, day, minute]}
        - name: since
          in: query
          description: How far back, such as `90m`, `24h` or `7d`, which is what it is without it. By minute it is 24 hours, which is the most there.
          schema: {type: string, pattern: "^[1-9][0-9]{0,6}[smhd]$"}
      responses:
        "200":
          description: One row for each that has requests, in the order of their names; of more than 10,000 those with most requests.
          headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
          content:
            application/json:
              schema: {$ref: "#/components/schemas/UsageReport"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "401": {$ref: "#/components/responses/Unauthorized"}
        "404": {$ref: "#/components/responses/UnknownUsage"}
        default: {$ref: "#/components/responses/OtherError"}
  /metrics:
    servers: [{url: /}]
    get:
      operationId: getMetrics
      tags: [gateway]
      summary: What the gateway counts, for Prometheus.
      description: |
        With `metrics: true` in the configuration; otherwise the answer is 404. Needs a key with `admin: true`, where the gateway
        has keys at all. OpenMetrics is sent to whoever asks for `application/openmetrics-text` in `Accept`. Labels are names of the
        configuration and fixed words, never a client's text.
      responses:
        "200":
          description: The metrics at this moment.
          headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
          content: {text/plain: {}, application/openmetrics-text: {}}
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
  /openapi.yaml:
    servers: [{url: /}]
    get:
      operationId: getDocument
      tags: [gateway]
      summary: This document.
      security: []
      responses:
        "200":
          description: The document as it was written.
          headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
          content: {application/yaml: {}}
        default: {$ref: "#/components/responses/OtherError"}
  /openapi.json:
    servers: [{url: /}]
    get:
      operationId: getDocumentAsJSON
      tags: [gateway]
      summary: This document, for tools that read only JSON.
      security: []
      responses:
        "200":
          description: The same document.
          headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
          content: {application/json: {schema: {$ref: "#/components/schemas/Document"}}}
        default: {$ref: "#/components/responses/OtherError"}
  /docs:
    servers: [{url: /}]
    get:
      operationId: getDocumentation
      tags: [gateway]
      summary: This document as a page on which every operation can be tried.
      description: Without its assets the page says how to get them.
      security: []
      responses:
        "200":
          description: The page. It loads nothing from elsewhere.
          headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
          content: {text/html: {}}
        default: {$ref: "#/components/responses/OtherError"}
  /docs/{asset}:
    servers: [{url: /}]
    get:
      operationId: getDocumentationAsset
      tags: [gateway]
      summary: A script, style sheet or picture of the page.
      security: []
      parameters:
        - name: asset
          in: path
          required: true
          description: The name of the file.
          schema: {type: string}
          example: swagger-ui.css
      responses:
        "200":
          description: The file.
          headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
          content:
            text/javascript: {}
            text/css: {}
            image/png: {}
        "404": {$ref: "#/components/responses/OtherError"}
        default: {$ref: "#/components/responses/OtherError"}
components:
  securitySchemes:
    bearer:
      type: http
      scheme: bearer
      description: A gateway key. A gateway without keys takes any, and none.
    apiKey:
      type: apiKey
      in: header
      name: x-api-key
      description: The same key. Two different keys in one request are refused.
  parameters:
    ResponseID:
      name: response_id
      in: path
      required: true
      description: The `id` of a response.
      schema: {type: string}
      example: resp_1
    ConversationID:
      name: conversation_id
      in: path
      required: true
      description: The `id` of a conversation.
      schema: {type: string}
      example: conv_hg00000000000000000000000000000001
    StreamID:
      name: request_id
      in: path
      required: true
      description: The `x-request-id` of the response that the stream is.
      schema: {type: string}
      example: 019aa5a3-7f6c-7c3e-9c5c-0f1d1f1b2a3c
    Verbose:
      name: verbose
      in: query
      description: "Asks for more than a word: empty, `1` or `true`. Anything else is ignored."
      schema: {type: string}
    AnthropicVersion:
      name: anthropic-version
      in: header
      description: The version of Anthropic's API, passed on as it is.
      schema: {type: string}
      example: "2023-06-01"
    AnthropicBeta:
      name: anthropic-beta
      in: header
      description: Names of beta features, passed on as they are.
      schema: {type: string}
    Explain:
"""##
}
