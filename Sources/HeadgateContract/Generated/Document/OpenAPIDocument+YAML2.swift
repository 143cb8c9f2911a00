// Generated from openapi.yaml by openapi-generator; do not edit.

extension OpenAPIDocument {
    // swift-format-ignore
    static let yaml2 = ##"""
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
        responses begin with `resp_hg`, and they are their maker's for as long as they are kept.

        Where there are several client keys, `previous_response_id` may name what the same key has made since the gateway started;
        that of an admin key may name any, and only such a key may name a `conversation`. `stored_responses: any` in the
        configuration lets every key.
      externalDocs: {url: "https://platform.openai.com/docs/api-reference/responses"}
      parameters: [{$ref: "#/components/parameters/Explain"}, {$ref: "#/components/parameters/Fault"}]
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: "#/components/schemas/ResponseRequest"}
            example: {model: gpt-4.1-nano, input: Say hello.}
      responses:
        "200":
          description: The response.
          headers:
            x-request-id: {$ref: "#/components/headers/RequestID"}
            x-headgate-upstream: {$ref: "#/components/headers/Upstream"}
            x-headgate-attempts: {$ref: "#/components/headers/Attempts"}
            x-headgate-degraded: {$ref: "#/components/headers/Degraded"}
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
  /streams/{request_id}:
    get:
      operationId: resumeStream
      tags: [streams]
      summary: The rest of a stream whose client had left.
      description: |
        Of a model with `on_disconnect: detach` every event of a stream has an `id:` line. Whoever has begun a stream has what
        comes after the event that `last-event-id` names, in the form of the stream's own route, and then what is still to come.
        Without it, it comes from its beginning. It is there for ten minutes (`streams: {ttl: 10m}`) after its client has left.

        Where the field and the parameter are both there, the field counts: a browser's `EventSource` sends it when it reconnects.
      parameters:
        - $ref: "#/components/parameters/StreamID"
        - name: last-event-id
          in: header
          description: The id of the last event that the client has.
          schema: {type: string}
          example: "1"
        - name: last_event_id
          in: query
          description: The same, for clients that cannot send fields.
          schema: {type: string}
      responses:
        "200":
          description: The rest of the stream.
          headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
          content:
            text/event-stream:
              x-event-schema: {$ref: "#/components/schemas/Relayed"}
              example: |
                id: 2
                data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1700000000,"model":"smollm2","choices":[{"index":0,"delta":{"content":"Hello"},"finish_reason":null}]}

                id: 3
                data: [DONE]
        "204":
          description: The client has all of the stream, which has ended.
          headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
        "400": {$ref: "#/components/responses/BadRequest"}
        "401": {$ref: "#/components/responses/Unauthorized"}
        "404": {$ref: "#/components/responses/UnknownStream"}
        "410":
          description: The next events are no longer kept, since the stream is longer than its buffer.
          headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
          content: {application/json: {schema: {$ref: "#/components/schemas/Error"}}}
        default: {$ref: "#/components/responses/OtherError"}
    delete:
      operationId: stopStream
      tags: [streams]
      summary: Ends a stream that goes on without its client.
      parameters: [{$ref: "#/components/parameters/StreamID"}]
      responses:
        "200":
          description: It is ended and forgotten.
          headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
          content:
            application/json:
              schema: {$ref: "#/components/schemas/StoppedStream"}
              example: {id: 019aa5a3-7f6c-7c3e-9c5c-0f1d1f1b2a3c, object: stream, deleted: true}
        "401": {$ref: "#/components/responses/Unauthorized"}
        "404": {$ref: "#/components/responses/UnknownStream"}
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
        - $ref: "#/components/parameters/Fault"
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
        - $ref: "#/components/parameters/Fault"
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
"""##
}
