// Generated from openapi.yaml by openapi-generator; do not edit.

extension OpenAPIDocument {
    // swift-format-ignore
    static let yaml2 = ##"""
        A form, of 64 MiB at most, is sent on as it comes from when its part `model` is known: put that before the file. What
        comes before it is kept in memory, at most `limits: {body}` of it. A form is sent once: only while nothing of it has been
        sent is another target tried.
      externalDocs: {url: "https://platform.openai.com/docs/api-reference/audio/createTranscription"}
      requestBody:
        required: true
        content:
          multipart/form-data:
            schema: {$ref: "#/components/schemas/ModelForm"}
            example: {model: whisper-1, file: RIFF}
      responses:
        "200":
          description: The text, in the form that the request asks for.
          headers:
            x-request-id: {$ref: "#/components/headers/RequestID"}
            x-headgate-upstream: {$ref: "#/components/headers/Upstream"}
            x-headgate-attempts: {$ref: "#/components/headers/Attempts"}
            x-headgate-cost-usd: {$ref: "#/components/headers/CostUSD"}
            x-headgate-budget-used: {$ref: "#/components/headers/BudgetUsed"}
            x-headgate-degraded: {$ref: "#/components/headers/Degraded"}
          content:
            application/json: {schema: {$ref: "#/components/schemas/Relayed"}}
            text/plain: {}
            text/vtt: {}
            application/x-subrip: {}
            text/event-stream: {x-event-schema: {$ref: "#/components/schemas/TypedEvent"}}
        "400": {$ref: "#/components/responses/BadRequest"}
        "401": {$ref: "#/components/responses/Unauthorized"}
        "403": {$ref: "#/components/responses/Forbidden"}
        "404": {$ref: "#/components/responses/UnknownModel"}
        "413": {$ref: "#/components/responses/TooLarge"}
        "415": {$ref: "#/components/responses/NotAForm"}
        "429": {$ref: "#/components/responses/TooManyRequests"}
        "502": {$ref: "#/components/responses/UpstreamFailed"}
        "503": {$ref: "#/components/responses/NotReady"}
        "504": {$ref: "#/components/responses/UpstreamTimeout"}
        default: {$ref: "#/components/responses/OtherError"}
  /audio/translations:
    post:
      operationId: createTranslation
      x-headgate-relay: openai-translations
      tags: [openai]
      summary: What is said in a recording, in English.
      description: |
        A form, of 64 MiB at most, is sent on as it comes from when its part `model` is known: put that before the file. What
        comes before it is kept in memory, at most `limits: {body}` of it. A form is sent once: only while nothing of it has been
        sent is another target tried.
      externalDocs: {url: "https://platform.openai.com/docs/api-reference/audio/createTranslation"}
      requestBody:
        required: true
        content:
          multipart/form-data:
            schema: {$ref: "#/components/schemas/ModelForm"}
            example: {model: whisper-1, file: RIFF}
      responses:
        "200":
          description: The text, in the form that the request asks for.
          headers:
            x-request-id: {$ref: "#/components/headers/RequestID"}
            x-headgate-upstream: {$ref: "#/components/headers/Upstream"}
            x-headgate-attempts: {$ref: "#/components/headers/Attempts"}
            x-headgate-cost-usd: {$ref: "#/components/headers/CostUSD"}
            x-headgate-budget-used: {$ref: "#/components/headers/BudgetUsed"}
            x-headgate-degraded: {$ref: "#/components/headers/Degraded"}
          content:
            application/json: {schema: {$ref: "#/components/schemas/Relayed"}}
            text/plain: {}
            text/vtt: {}
            application/x-subrip: {}
            text/event-stream: {x-event-schema: {$ref: "#/components/schemas/TypedEvent"}}
        "400": {$ref: "#/components/responses/BadRequest"}
        "401": {$ref: "#/components/responses/Unauthorized"}
        "403": {$ref: "#/components/responses/Forbidden"}
        "404": {$ref: "#/components/responses/UnknownModel"}
        "413": {$ref: "#/components/responses/TooLarge"}
        "415": {$ref: "#/components/responses/NotAForm"}
        "429": {$ref: "#/components/responses/TooManyRequests"}
        "502": {$ref: "#/components/responses/UpstreamFailed"}
        "503": {$ref: "#/components/responses/NotReady"}
        "504": {$ref: "#/components/responses/UpstreamTimeout"}
        default: {$ref: "#/components/responses/OtherError"}
  /rerank:
    post:
      operationId: createRerank
      x-headgate-relay: rerank
      tags: [openai]
      summary: Documents in the order in which they fit a query.
      description: |
        Not of OpenAI: Cohere, Jina, vLLM and others have it in this form.
      externalDocs: {url: "https://docs.cohere.com/reference/rerank"}
      parameters: [{$ref: "#/components/parameters/Explain"}, {$ref: "#/components/parameters/Fault"}]
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: "#/components/schemas/ModelRequest"}
            example: {model: rerank-v3.5, query: "What is a headgate?", documents: ["A gate at the head of a canal.", "A duck."]}
      responses:
        "200":
          description: The indices of the documents with their scores.
          headers:
            x-request-id: {$ref: "#/components/headers/RequestID"}
            x-headgate-upstream: {$ref: "#/components/headers/Upstream"}
            x-headgate-attempts: {$ref: "#/components/headers/Attempts"}
            x-headgate-cost-usd: {$ref: "#/components/headers/CostUSD"}
            x-headgate-budget-used: {$ref: "#/components/headers/BudgetUsed"}
            x-headgate-degraded: {$ref: "#/components/headers/Degraded"}
          content:
            application/json: {schema: {$ref: "#/components/schemas/Relayed"}}
            application/vnd.headgate.explanation+json: {schema: {$ref: "#/components/schemas/Explanation"}}
        "400": {$ref: "#/components/responses/BadRequest"}
        "401": {$ref: "#/components/responses/Unauthorized"}
        "403": {$ref: "#/components/responses/Forbidden"}
        "404": {$ref: "#/components/responses/UnknownModel"}
        "413": {$ref: "#/components/responses/TooLarge"}
        "415": {$ref: "#/components/responses/NotJSON"}
        "429": {$ref: "#/components/responses/TooManyRequests"}
        "502": {$ref: "#/components/responses/UpstreamFailed"}
        "503": {$ref: "#/components/responses/NotReady"}
        "504": {$ref: "#/components/responses/UpstreamTimeout"}
        default: {$ref: "#/components/responses/OtherError"}
  /responses:
    post:
      operationId: createResponse
      x-headgate-relay: openai-responses
      tags: [responses]
      summary: A response, whole or as a stream.
      description: |
        A stream has the events of the upstream in their order and ends with one of `response.completed`, `response.incomplete`
        and `response.failed`. One that breaks off ends with a `response.failed` of the gateway's.

        For a model whose upstream has no Responses API the gateway keeps responses itself, where its configuration says so
        (`responses: {store: 1d}`); without that, `store: true`, `previous_response_id` and `conversation` are a 400 there. Ids of such
        responses begin with `resp_hg`, and they are their maker's for as long as they are kept. A `conversation` that was made here
        (`conv_hg...`) goes on with any model; while a response is being made in it, another one is a 409.

        Where there are several client keys, `previous_response_id` may name what the same key has made since the gateway started;
        that of an admin key may name any, and only such a key may name a `conversation` of an upstream's. `stored_responses: any` in
        the configuration lets every key.
      externalDocs: {url: "https://platform.openai.com/docs/api-reference/responses"}
      parameters: [{$ref: "#/components/parameters/Explain"}, {$ref: "#/components/parameters/Fault"}]
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: "#/components/schemas/ResponseRequest"}
            example: {model: gpt-6-luna, input: Say hello.}
      responses:
        "200":
          description: The response.
          headers:
            x-request-id: {$ref: "#/components/headers/RequestID"}
            x-headgate-upstream: {$ref: "#/components/headers/Upstream"}
            x-headgate-attempts: {$ref: "#/components/headers/Attempts"}
            x-headgate-cost-usd: {$ref: "#/components/headers/CostUSD"}
            x-headgate-budget-used: {$ref: "#/components/headers/BudgetUsed"}
            x-headgate-degraded: {$ref: "#/components/headers/Degraded"}
            x-headgate-cache: {$ref: "#/components/headers/Cache"}
            age: {$ref: "#/components/headers/Age"}
          content:
            application/json:
              schema: {$ref: "#/components/schemas/Response"}
            text/event-stream:
              x-event-schema: {$ref: "#/components/schemas/ResponseEvent"}
              example: |
                event: response.output_text.delta
                data: {"type":"response.output_text.delta","sequence_number":4,"item_id":"msg_1","output_index":0,"content_index":0,"delta":"Hello","logprobs":[]}

                event: response.completed
                data: {"type":"response.completed","sequence_number":8,"response":{"id":"resp_1","object":"response","status":"completed"}}
            application/vnd.headgate.explanation+json: {schema: {$ref: "#/components/schemas/Explanation"}}
        "400": {$ref: "#/components/responses/BadRequest"}
        "401": {$ref: "#/components/responses/Unauthorized"}
        "403": {$ref: "#/components/responses/Forbidden"}
        "404": {$ref: "#/components/responses/UnknownModelOrResponse"}
        "409": {$ref: "#/components/responses/BusyConversation"}
        "413": {$ref: "#/components/responses/TooLarge"}
        "415": {$ref: "#/components/responses/NotJSON"}
        "429": {$ref: "#/components/responses/TooManyRequests"}
        "502": {$ref: "#/components/responses/UpstreamFailed"}
        "503": {$ref: "#/components/responses/NotReady"}
        "504": {$ref: "#/components/responses/UpstreamTimeout"}
        default: {$ref: "#/components/responses/OtherError"}
  /responses/compact:
    post:
      operationId: compactResponse
      x-headgate-relay: openai-response-compaction
      tags: [responses]
      summary: A conversation, compacted by its provider.
      description: |
        The response holds the items from which the conversation continues. Only the provider can read the compacted ones, so a
        model whose upstream cannot compact gets a 400 `compaction_not_supported`, or a summary of its own with
        `compaction: summarize` in the configuration. `previous_response_id` and `conversation` are bound to their maker's key, as
        in `POST /v1/responses`.
      externalDocs: {url: "https://platform.openai.com/docs/api-reference/responses/compact"}
      parameters: [{$ref: "#/components/parameters/Explain"}, {$ref: "#/components/parameters/Fault"}]
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: "#/components/schemas/ResponseHistoryRequest"}
            example: {model: gpt-6-luna, input: Say hello.}
      responses:
        "200":
          description: The compacted conversation.
          headers:
            x-request-id: {$ref: "#/components/headers/RequestID"}
            x-headgate-upstream: {$ref: "#/components/headers/Upstream"}
            x-headgate-attempts: {$ref: "#/components/headers/Attempts"}
            x-headgate-cost-usd: {$ref: "#/components/headers/CostUSD"}
            x-headgate-budget-used: {$ref: "#/components/headers/BudgetUsed"}
            x-headgate-degraded: {$ref: "#/components/headers/Degraded"}
          content:
            application/json:
              schema: {$ref: "#/components/schemas/Relayed"}
              example: {id: resp_3, object: response.compaction, output: []}
            application/vnd.headgate.explanation+json: {schema: {$ref: "#/components/schemas/Explanation"}}
        "400": {$ref: "#/components/responses/BadRequest"}
        "401": {$ref: "#/components/responses/Unauthorized"}
        "403": {$ref: "#/components/responses/Forbidden"}
        "404": {$ref: "#/components/responses/UnknownModelOrResponse"}
        "413": {$ref: "#/components/responses/TooLarge"}
        "415": {$ref: "#/components/responses/NotJSON"}
        "429": {$ref: "#/components/responses/TooManyRequests"}
        "502": {$ref: "#/components/responses/UpstreamFailed"}
        "503": {$ref: "#/components/responses/NotReady"}
        "504": {$ref: "#/components/responses/UpstreamTimeout"}
        default: {$ref: "#/components/responses/OtherError"}
  /responses/input_tokens:
    post:
      operationId: countResponseTokens
      x-headgate-relay: openai-count-tokens
      tags: [responses]
      summary: The number of tokens that a response's input would have.
      description: |
        For a model whose upstream cannot count, the gateway estimates and says so with `x-headgate-estimated`.
      externalDocs: {url: "https://platform.openai.com/docs/api-reference/responses/input-tokens"}
      parameters: [{$ref: "#/components/parameters/Explain"}, {$ref: "#/components/parameters/Fault"}]
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: "#/components/schemas/ResponseHistoryRequest"}
            example: {model: gpt-6-luna, input: Say hello.}
      responses:
        "200":
          description: The count of the upstream, or the gateway's estimate.
          headers:
            x-request-id: {$ref: "#/components/headers/RequestID"}
            x-headgate-upstream: {$ref: "#/components/headers/Upstream"}
            x-headgate-attempts: {$ref: "#/components/headers/Attempts"}
            x-headgate-cost-usd: {$ref: "#/components/headers/CostUSD"}
            x-headgate-budget-used: {$ref: "#/components/headers/BudgetUsed"}
            x-headgate-degraded: {$ref: "#/components/headers/Degraded"}
          content:
            application/json:
              schema: {$ref: "#/components/schemas/Relayed"}
              example: {object: response.input_tokens, input_tokens: 9}
            application/vnd.headgate.explanation+json: {schema: {$ref: "#/components/schemas/Explanation"}}
        "400": {$ref: "#/components/responses/BadRequest"}
        "401": {$ref: "#/components/responses/Unauthorized"}
        "403": {$ref: "#/components/responses/Forbidden"}
        "404": {$ref: "#/components/responses/UnknownModelOrResponse"}
        "413": {$ref: "#/components/responses/TooLarge"}
        "415": {$ref: "#/components/responses/NotJSON"}
        "429": {$ref: "#/components/responses/TooManyRequests"}
        "502": {$ref: "#/components/responses/UpstreamFailed"}
        "503": {$ref: "#/components/responses/NotReady"}
        "504": {$ref: "#/components/responses/UpstreamTimeout"}
        default: {$ref: "#/components/responses/OtherError"}
  /responses/{response_id}:
    get:
      operationId: retrieveResponse
      x-headgate-relay: openai-response-object
      tags: [responses]
      summary: A response that the upstream or the gateway has kept, or the rest of its stream.
      description: |
        One that the gateway has kept comes as it was made, and not as a stream (400). For others OpenAI's own query parameters go to the upstream, such as `include`; others are
        ignored.
      externalDocs: {url: "https://platform.openai.com/docs/api-reference/responses/get"}
      parameters:
        - $ref: "#/components/parameters/ResponseID"
        - name: stream
          in: query
          description: Whether the answer is the stream of a background response.
          schema: {type: boolean}
        - name: starting_after
          in: query
          description: The sequence number of the last event that is not wanted again.
          schema: {type: integer, minimum: 0}
      responses:
        "200":
          description: The response.
          headers:
            x-request-id: {$ref: "#/components/headers/RequestID"}
            x-headgate-upstream: {$ref: "#/components/headers/Upstream"}
          content:
            application/json:
              schema: {$ref: "#/components/schemas/Response"}
            text/event-stream:
              x-event-schema: {$ref: "#/components/schemas/ResponseEvent"}
        "400": {$ref: "#/components/responses/BadRequest"}
        "401": {$ref: "#/components/responses/Unauthorized"}
        "404": {$ref: "#/components/responses/UnknownResponse"}
        "502": {$ref: "#/components/responses/UpstreamFailed"}
        default: {$ref: "#/components/responses/OtherError"}
    delete:
      operationId: deleteResponse
      x-headgate-relay: openai-response-object
      tags: [responses]
      summary: Deletes a response that the upstream or the gateway has kept.
      externalDocs: {url: "https://platform.openai.com/docs/api-reference/responses/delete"}
      parameters:
        - name: response_id
          in: path
          required: true
          description: The `id` of a response.
          schema: {type: string}
          example: resp_2
      responses:
        "200":
          description: It is deleted.
          headers:
            x-request-id: {$ref: "#/components/headers/RequestID"}
            x-headgate-upstream: {$ref: "#/components/headers/Upstream"}
          content: {application/json: {schema: {$ref: "#/components/schemas/Relayed"}}}
        "400": {$ref: "#/components/responses/BadRequest"}
        "401": {$ref: "#/components/responses/Unauthorized"}
        "404": {$ref: "#/components/responses/UnknownResponse"}
        "502": {$ref: "#/components/responses/UpstreamFailed"}
        default: {$ref: "#/components/responses/OtherError"}
  /responses/{response_id}/cancel:
    post:
      operationId: cancelResponse
      x-headgate-relay: openai-response-object
      tags: [responses]
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
      summary: The input items of a response that the upstream or the gateway has kept.
      description: |
        OpenAI's own query parameters go to the upstream, such as `after` and `limit`; others are ignored. Of a response that the
        gateway has kept these are the items of its own request, without those that it continues; it knows `after`, `limit` and
        `order`.
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
  /conversations:
    post:
      operationId: createConversation
      x-headgate-relay: openai-conversations
      tags: [responses]
      summary: Makes a conversation that the gateway keeps.
      description: |
        A response that names it in `conversation` goes on from its items, and its own input and output become items of it. It needs
        `responses: {store: 1d}` in the configuration (400 without it), is its maker's and is kept for that long after it was last used.
      externalDocs: {url: "https://platform.openai.com/docs/api-reference/conversations/create"}
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: "#/components/schemas/ConversationRequest"}
            example: {items: [{type: message, role: user, content: Say hello.}], metadata: {topic: greetings}}
      responses:
        "200":
          description: The conversation.
          headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
          content: {application/json: {schema: {$ref: "#/components/schemas/Conversation"}}}
        "400": {$ref: "#/components/responses/BadRequest"}
        "401": {$ref: "#/components/responses/Unauthorized"}
        "413": {$ref: "#/components/responses/TooLarge"}
        "415": {$ref: "#/components/responses/NotJSON"}
"""##
}
