// Generated from openapi.yaml by openapi-generator; do not edit.

extension OpenAPIDocument {
    // swift-format-ignore
    static let yaml4 = ##"""
            schema: {$ref: "#/components/schemas/OllamaChatRequest"}
            example: {model: smollm2, messages: [{role: user, content: Say hello.}], stream: false}
      responses:
        "200":
          description: The message of the model.
          headers:
            x-request-id: {$ref: "#/components/headers/RequestID"}
            x-headgate-upstream: {$ref: "#/components/headers/Upstream"}
            x-headgate-attempts: {$ref: "#/components/headers/Attempts"}
            x-headgate-cost-usd: {$ref: "#/components/headers/CostUSD"}
            x-headgate-budget-used: {$ref: "#/components/headers/BudgetUsed"}
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
            x-headgate-cost-usd: {$ref: "#/components/headers/CostUSD"}
            x-headgate-budget-used: {$ref: "#/components/headers/BudgetUsed"}
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
            x-headgate-cost-usd: {$ref: "#/components/headers/CostUSD"}
            x-headgate-budget-used: {$ref: "#/components/headers/BudgetUsed"}
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
            x-headgate-cost-usd: {$ref: "#/components/headers/CostUSD"}
            x-headgate-budget-used: {$ref: "#/components/headers/BudgetUsed"}
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
        Needs a key with `admin: true`, where the gateway has keys at all. Names, counts, times, and the last lines of programs that the
        gateway runs: no content, and no address of a client. Pages and health checks do not count as requests.
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
        it gets a 503 with `retry-after`, and one that takes more than 5 s a 503 `usage_too_slow`: ask for less then.
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
  /admin/keys:
    get:
      operationId: listKeys
      tags: [keys]
      summary: The client keys.
      description: |
        Needs a key with `admin: true`, where the gateway has keys at all. Those of the configuration come first, on the first page alone, then the
        managed ones by their names. None of them shows the key itself.
      parameters:
        - name: limit
          in: query
          description: How many managed keys, 100 without it.
          schema: {type: integer, minimum: 1, maximum: 1000}
        - name: after
          in: query
          description: The name of the last key of the page before.
          schema: {type: string}
      responses:
        "200":
          description: One page of keys.
          headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
          content: {application/json: {schema: {$ref: "#/components/schemas/ClientKeyList"}}}
        "400": {$ref: "#/components/responses/BadRequest"}
        "401": {$ref: "#/components/responses/Unauthorized"}
        "403": {$ref: "#/components/responses/Forbidden"}
        default: {$ref: "#/components/responses/OtherError"}
    post:
      operationId: createKey
      tags: [keys]
      summary: Makes a client key.
      description: |
        Needs a key with `admin: true`. The answer has the key itself, once: the gateway keeps its digest alone. It is let in at once. A gateway
        that asks nobody for a key takes its first one from its own user alone, on a Unix socket or by `headgate key add`.
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: "#/components/schemas/NewClientKey"}
            example: {name: laptop, models: ["*"], limits: {requests: 60/m}}
      responses:
        "201":
          description: The key.
          headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
          content: {application/json: {schema: {$ref: "#/components/schemas/ClientKey"}}}
        "400": {$ref: "#/components/responses/BadRequest"}
        "401": {$ref: "#/components/responses/Unauthorized"}
        "403": {$ref: "#/components/responses/Forbidden"}
        "409": {$ref: "#/components/responses/KeyConflict"}
        "413": {$ref: "#/components/responses/TooLarge"}
        "415": {$ref: "#/components/responses/NotJSON"}
        default: {$ref: "#/components/responses/OtherError"}
  /admin/keys/{name}:
    get:
      operationId: retrieveKey
      tags: [keys]
      summary: One client key, without the key itself.
      parameters:
        - $ref: "#/components/parameters/KeyName"
      responses:
        "200":
          description: The key.
          headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
          content: {application/json: {schema: {$ref: "#/components/schemas/ClientKey"}}}
        "401": {$ref: "#/components/responses/Unauthorized"}
        "403": {$ref: "#/components/responses/Forbidden"}
        "404": {$ref: "#/components/responses/UnknownKey"}
"""##
}
