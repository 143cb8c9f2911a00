// Generated from openapi.yaml by openapi-generator; do not edit.

extension OpenAPIDocument {
    // swift-format-ignore
    static let yaml5 = ##"""
        default: {$ref: "#/components/responses/OtherError"}
    delete:
      operationId: revokeKey
      tags: [keys]
      summary: Revokes a client key.
      description: |
        The gateway refuses its requests from now on; requests in flight finish. A key of the configuration is removed there (409).
      parameters:
        - $ref: "#/components/parameters/KeyName"
      responses:
        "200":
          description: It is revoked.
          headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
          content: {application/json: {schema: {$ref: "#/components/schemas/RevokedKey"}}}
        "401": {$ref: "#/components/responses/Unauthorized"}
        "403": {$ref: "#/components/responses/Forbidden"}
        "404": {$ref: "#/components/responses/UnknownKey"}
        "409": {$ref: "#/components/responses/KeyConflict"}
        default: {$ref: "#/components/responses/OtherError"}
  /admin/keys/{name}/rotate:
    post:
      operationId: rotateKey
      tags: [keys]
      summary: Gives a client another key.
      description: |
        The name, its limits and what was made with it stay. The answer has the new key, once. The one before is let in for `grace` yet, and
        without it no longer.
      parameters:
        - $ref: "#/components/parameters/KeyName"
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: "#/components/schemas/KeyRotation"}
            example: {grace: 1h}
      responses:
        "200":
          description: The key as it is now.
          headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
          content: {application/json: {schema: {$ref: "#/components/schemas/ClientKey"}}}
        "400": {$ref: "#/components/responses/BadRequest"}
        "401": {$ref: "#/components/responses/Unauthorized"}
        "403": {$ref: "#/components/responses/Forbidden"}
        "404": {$ref: "#/components/responses/UnknownKey"}
        "409": {$ref: "#/components/responses/KeyConflict"}
        "413": {$ref: "#/components/responses/TooLarge"}
        "415": {$ref: "#/components/responses/NotJSON"}
        default: {$ref: "#/components/responses/OtherError"}
  /upstream/{name}/{path}:
    summary: Any path of an upstream's own API.
    description: |
      Every GET, HEAD, POST, PUT, PATCH and DELETE request is sent to the upstream with the gateway's key for it, below its base URL, and its
      response is relayed unread; both are streamed, whatever their content types. Only upstreams with `passthrough: true` have such paths. The key
      needs `admin: true` or `passthrough: [NAME]`, and no budget: whoever may use this sees all files of that provider account. The `path` can
      have slashes. Empty and dot segments and encoded separators are refused; credentials and cookies of the client stay behind.
    servers: [{url: /}]
    parameters:
      - {name: name, in: path, required: true, description: The name of the upstream in the configuration., schema: {type: string}}
      - {name: path, in: path, required: true, description: "The rest of the path, such as `files/file-1/content`.", schema: {type: string}}
  /admin/upstreams/{name}/unload:
    post:
      operationId: unloadUpstream
      tags: [gateway]
      summary: Stops the program that the gateway runs for an upstream.
      description: |
        Needs a key with `admin: true`. The program gets no more requests, and is stopped once those in flight have ended, within the
        `drain` of its group or a minute. The next request starts it again. A program that is not ready stays as it is.
      parameters:
        - name: name
          in: path
          required: true
          description: The name of the upstream.
          schema: {type: string}
      responses:
        "202":
          description: The state of the program at this moment.
          headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
          content: {application/json: {schema: {$ref: "#/components/schemas/StatusProgram"}}}
        "401": {$ref: "#/components/responses/Unauthorized"}
        "403": {$ref: "#/components/responses/Forbidden"}
        "404": {$ref: "#/components/responses/UnknownProgram"}
        default: {$ref: "#/components/responses/OtherError"}
  /admin/pairings:
    post:
      operationId: createPairing
      tags: [keys]
      summary: Makes a code by which one device gets a client key.
      description: |
        Needs a key with `admin: true`. The code works once, within five minutes, at the gateway that made it. The key is made when the code
        is used, with the settings of the request.
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: "#/components/schemas/NewClientKey"}
            example: {name: phone, budget: {usd: 1, every: day}}
      responses:
        "201":
          description: The code.
          headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
          content: {application/json: {schema: {$ref: "#/components/schemas/Pairing"}}}
        "400": {$ref: "#/components/responses/BadRequest"}
        "401": {$ref: "#/components/responses/Unauthorized"}
        "403": {$ref: "#/components/responses/Forbidden"}
        "413": {$ref: "#/components/responses/TooLarge"}
        "415": {$ref: "#/components/responses/NotJSON"}
        default: {$ref: "#/components/responses/OtherError"}
  /pairings/{code}:
    post:
      operationId: redeemPairing
      tags: [keys]
      summary: Exchanges a pairing code for the key of one device.
      description: |
        Needs no key: the code is the permission. The answer has the key itself, once.
      security: []
      parameters:
        - name: code
          in: path
          required: true
          description: The code.
          schema: {type: string}
          example: AAAAAAAAAAAAAAAAAAAAAA
      responses:
        "201":
          description: The key.
          headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
          content: {application/json: {schema: {$ref: "#/components/schemas/ClientKey"}}}
        "404": {$ref: "#/components/responses/UnknownPairing"}
        "409": {$ref: "#/components/responses/KeyConflict"}
        default: {$ref: "#/components/responses/OtherError"}
  /admin/requests/{number}:
    get:
      operationId: inspectRequest
      tags: [gateway]
      summary: The content of one of the latest requests.
      description: |
        With `inspect` in the configuration; otherwise the answer is 404. Needs a key with `admin: true`, if the gateway has keys at all.
        Known secrets are `***` in headers, and stars in bodies. Newer requests displace older ones, and nothing is written to disk.
      parameters:
        - name: number
          in: path
          required: true
          description: The member `inspection` of a request in `/status/data`.
          schema: {type: string}
          example: "1"
      responses:
        "200":
          description: "The client's request, the request to each upstream, and the response with its times."
          headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
          content: {application/json: {schema: {$ref: "#/components/schemas/InspectedRequest"}}}
        "401": {$ref: "#/components/responses/Unauthorized"}
        "403": {$ref: "#/components/responses/Forbidden"}
        "404": {$ref: "#/components/responses/NotInspected"}
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
    KeyName:
      name: name
      in: path
      required: true
      description: The name of a key.
      schema: {type: string}
      example: laptop
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
      name: x-headgate-explain
      in: header
      description: |
        `1` asks what would happen to this very request, which is not sent: the answer is an explanation. It needs a key with
        `admin: true`, or to be the only caller of the gateway.
      schema: {type: string, enum: ["0", "1"]}
    Fault:
      name: x-headgate-fault
      in: header
      description: |
        What is to go wrong with this request, for tests. It means something only where the configuration says
        `fault_injection: {enabled: true}`, and there needs a key with `admin: true`, or to be the only caller of the gateway.
      schema: {type: string}
      example: cut_after_events=3; delay_head=1s
  headers:
    RequestID:
      required: true
      description: Names this request in the gateway's log.
      schema: {type: string}
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
    CostUSD:
      description: What it has cost in USD, a decimal number, where that is known. Only of whole answers.
      schema: {type: string}
    BudgetUsed:
      description: The part of a budget that was used before the request, from 0.8 on, of its key, its group or all.
      schema: {type: string}
    Degraded:
      description: "Why it does not come from a better place: `offline` where nothing but this machine could be reached."
      schema: {type: string, enum: [offline]}
    Cache:
      description: Where it comes from, of a model with a `cache`.
      schema: {type: string, enum: [hit, miss, bypass]}
    Age:
      description: For how many seconds it has been in the cache, of a `hit`.
      schema: {type: integer, minimum: 0}
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
"""##
}
