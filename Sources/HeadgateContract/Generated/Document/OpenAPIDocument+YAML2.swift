// Generated from openapi.yaml by openapi-generator; do not edit.

extension OpenAPIDocument {
    // swift-format-ignore
    static let yaml2 = ##"""
      summary: Stops a response that runs in the background.
      externalDocs: {url: "https://platform.openai.com/docs/api-reference/responses/cancel"}
      parameters: [{$ref: "#/components/parameters/ResponseID"}]
      responses:
        "200":
          description: The response as it is now.
          headers:
            x-request-id: {$ref: "#/components/headers/RequestID"}
            x-headgate-upstream: {$ref: "#/components/headers/Upstream"}
          content: {application/json: {schema: {$ref: "#/components/schemas/Response"}}}
        "400": {$ref: "#/components/responses/BadRequest"}
        "401": {$ref: "#/components/responses/Unauthorized"}
        "404": {$ref: "#/components/responses/UnknownResponse"}
        "502": {$ref: "#/components/responses/UpstreamFailed"}
        default: {$ref: "#/components/responses/OtherError"}
  /responses/{response_id}/input_items:
    get:
      operationId: listResponseInputItems
      x-headgate-relay: openai-response-object
      tags: [responses]
      summary: The input items of a response that the upstream has kept.
      description: OpenAI's own query parameters go to the upstream, such as `after` and `limit`; others are ignored.
      externalDocs: {url: "https://platform.openai.com/docs/api-reference/responses/input-items"}
      parameters: [{$ref: "#/components/parameters/ResponseID"}]
      responses:
        "200":
          description: One page of items.
          headers:
            x-request-id: {$ref: "#/components/headers/RequestID"}
            x-headgate-upstream: {$ref: "#/components/headers/Upstream"}
          content: {application/json: {schema: {$ref: "#/components/schemas/Relayed"}}}
        "400": {$ref: "#/components/responses/BadRequest"}
        "401": {$ref: "#/components/responses/Unauthorized"}
        "404": {$ref: "#/components/responses/UnknownResponse"}
        "502": {$ref: "#/components/responses/UpstreamFailed"}
        default: {$ref: "#/components/responses/OtherError"}
  /messages:
    post:
      operationId: createMessage
      x-headgate-relay: anthropic-messages
      tags: [anthropic]
      summary: A message, whole or as a stream.
      description: |
        A stream ends with `event: message_stop`. One that breaks off ends with one `event: error` instead.
      externalDocs: {url: "https://platform.claude.com/docs/en/api/messages"}
      parameters:
        - $ref: "#/components/parameters/AnthropicVersion"
        - $ref: "#/components/parameters/AnthropicBeta"
        - $ref: "#/components/parameters/Explain"
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: "#/components/schemas/MessageRequest"}
            example: {model: claude-haiku-4-5, max_tokens: 64, messages: [{role: user, content: Say hello.}]}
      responses:
        "200":
          description: The message of the model.
          headers:
            x-request-id: {$ref: "#/components/headers/RequestID"}
            request-id: {$ref: "#/components/headers/RequestID"}
            x-headgate-upstream: {$ref: "#/components/headers/Upstream"}
            x-headgate-attempts: {$ref: "#/components/headers/Attempts"}
            x-headgate-degraded: {$ref: "#/components/headers/Degraded"}
          content:
            application/json:
              schema: {$ref: "#/components/schemas/Message"}
            text/event-stream:
              x-event-schema: {$ref: "#/components/schemas/MessageEvent"}
              example: |
                event: content_block_delta
                data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hello"}}

                event: message_stop
                data: {"type":"message_stop"}
            application/vnd.headgate.explanation+json: {schema: {$ref: "#/components/schemas/Explanation"}}
        "400": {$ref: "#/components/responses/AnthropicBadRequest"}
        "401": {$ref: "#/components/responses/AnthropicUnauthorized"}
        "403": {$ref: "#/components/responses/AnthropicForbidden"}
        "404": {$ref: "#/components/responses/AnthropicUnknownModel"}
        "413": {$ref: "#/components/responses/AnthropicTooLarge"}
        "415": {$ref: "#/components/responses/AnthropicNotJSON"}
        "429": {$ref: "#/components/responses/AnthropicTooManyRequests"}
        "502": {$ref: "#/components/responses/AnthropicUpstreamFailed"}
        "503": {$ref: "#/components/responses/AnthropicNotReady"}
        "504": {$ref: "#/components/responses/AnthropicUpstreamTimeout"}
        default: {$ref: "#/components/responses/AnthropicOtherError"}
  /messages/count_tokens:
    post:
      operationId: countMessageTokens
      x-headgate-relay: anthropic-count-tokens
      tags: [anthropic]
      summary: How many tokens a message would take in.
      externalDocs: {url: "https://platform.claude.com/docs/en/api/messages-count-tokens"}
      parameters:
        - $ref: "#/components/parameters/AnthropicVersion"
        - $ref: "#/components/parameters/AnthropicBeta"
        - $ref: "#/components/parameters/Explain"
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: "#/components/schemas/TokenCountRequest"}
            example: {model: claude-haiku-4-5, messages: [{role: user, content: Say hello.}]}
      responses:
        "200":
          description: The count of the upstream.
          headers:
            x-request-id: {$ref: "#/components/headers/RequestID"}
            request-id: {$ref: "#/components/headers/RequestID"}
            x-headgate-upstream: {$ref: "#/components/headers/Upstream"}
            x-headgate-attempts: {$ref: "#/components/headers/Attempts"}
            x-headgate-degraded: {$ref: "#/components/headers/Degraded"}
          content:
            application/json:
              schema: {$ref: "#/components/schemas/Relayed"}
              example: {input_tokens: 10}
            application/vnd.headgate.explanation+json: {schema: {$ref: "#/components/schemas/Explanation"}}
        "400": {$ref: "#/components/responses/AnthropicBadRequest"}
        "401": {$ref: "#/components/responses/AnthropicUnauthorized"}
        "403": {$ref: "#/components/responses/AnthropicForbidden"}
        "404": {$ref: "#/components/responses/AnthropicUnknownModel"}
        "413": {$ref: "#/components/responses/AnthropicTooLarge"}
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
      name: x-headgate-explain
      in: header
      description: |
        `1` asks what would happen to this very request, which is not sent: the answer is an explanation. It needs a key with
        `admin: true`, or to be the only caller of the gateway.
      schema: {type: string, enum: ["0", "1"]}
  headers:
    RequestID:
      required: true
      description: Names this request in the gateway's log.
      schema: {type: string}
"""##
}
