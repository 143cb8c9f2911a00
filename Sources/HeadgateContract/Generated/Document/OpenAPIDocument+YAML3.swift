// Generated from openapi.yaml by openapi-generator; do not edit.

extension OpenAPIDocument {
    // swift-format-ignore
    static let yaml3 = ##"""
        default: {$ref: "#/components/responses/OtherError"}
  /conversations/{conversation_id}:
    get:
      operationId: retrieveConversation
      x-headgate-relay: openai-conversations
      tags: [responses]
      summary: A conversation that the gateway keeps.
      externalDocs: {url: "https://platform.openai.com/docs/api-reference/conversations/retrieve"}
      parameters:
        - $ref: "#/components/parameters/ConversationID"
      responses:
        "200":
          description: The conversation.
          headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
          content: {application/json: {schema: {$ref: "#/components/schemas/Conversation"}}}
        "400": {$ref: "#/components/responses/BadRequest"}
        "401": {$ref: "#/components/responses/Unauthorized"}
        "404": {$ref: "#/components/responses/UnknownConversation"}
        default: {$ref: "#/components/responses/OtherError"}
    post:
      operationId: updateConversation
      x-headgate-relay: openai-conversations
      tags: [responses]
      summary: Changes the metadata of a conversation.
      externalDocs: {url: "https://platform.openai.com/docs/api-reference/conversations/update"}
      parameters:
        - $ref: "#/components/parameters/ConversationID"
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: "#/components/schemas/ConversationUpdate"}
            example: {metadata: {topic: farewells}}
      responses:
        "200":
          description: The conversation as it is now.
          headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
          content: {application/json: {schema: {$ref: "#/components/schemas/Conversation"}}}
        "400": {$ref: "#/components/responses/BadRequest"}
        "401": {$ref: "#/components/responses/Unauthorized"}
        "404": {$ref: "#/components/responses/UnknownConversation"}
        "413": {$ref: "#/components/responses/TooLarge"}
        "415": {$ref: "#/components/responses/NotJSON"}
        default: {$ref: "#/components/responses/OtherError"}
    delete:
      operationId: deleteConversation
      x-headgate-relay: openai-conversations
      tags: [responses]
      summary: Deletes a conversation with all its items.
      description: |
        Responses that were made in it are kept on their own.
      externalDocs: {url: "https://platform.openai.com/docs/api-reference/conversations/delete"}
      parameters:
        - name: conversation_id
          in: path
          required: true
          description: The `id` of a conversation.
          schema: {type: string}
          example: conv_hg00000000000000000000000000000002
      responses:
        "200":
          description: It is deleted.
          headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
          content: {application/json: {schema: {$ref: "#/components/schemas/Relayed"}}}
        "400": {$ref: "#/components/responses/BadRequest"}
        "401": {$ref: "#/components/responses/Unauthorized"}
        "404": {$ref: "#/components/responses/UnknownConversation"}
        default: {$ref: "#/components/responses/OtherError"}
  /conversations/{conversation_id}/items:
    get:
      operationId: listConversationItems
      x-headgate-relay: openai-conversations
      tags: [responses]
      summary: The items of a conversation.
      description: |
        `after` names the item before the first; the latest item comes first, unless `order` is `asc`.
      externalDocs: {url: "https://platform.openai.com/docs/api-reference/conversations/list-items"}
      parameters:
        - $ref: "#/components/parameters/ConversationID"
        - name: limit
          in: query
          description: How many items, 20 without it.
          schema: {type: integer, minimum: 1, maximum: 100}
        - name: order
          in: query
          description: Which item comes first.
          schema: {type: string, enum: [asc, desc]}
      responses:
        "200":
          description: One page of items.
          headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
          content: {application/json: {schema: {$ref: "#/components/schemas/ConversationItemList"}}}
        "400": {$ref: "#/components/responses/BadRequest"}
        "401": {$ref: "#/components/responses/Unauthorized"}
        "404": {$ref: "#/components/responses/UnknownConversation"}
        default: {$ref: "#/components/responses/OtherError"}
    post:
      operationId: createConversationItems
      x-headgate-relay: openai-conversations
      tags: [responses]
      summary: Adds items to a conversation.
      description: |
        An item whose id is there already, or that has none, gets one. While a response is being made in the conversation this is a 409.
      externalDocs: {url: "https://platform.openai.com/docs/api-reference/conversations/create-items"}
      parameters:
        - $ref: "#/components/parameters/ConversationID"
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: "#/components/schemas/ConversationItems"}
            example: {items: [{type: message, role: user, content: Say hello.}]}
      responses:
        "200":
          description: The items as they are kept.
          headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
          content: {application/json: {schema: {$ref: "#/components/schemas/ConversationItemList"}}}
        "400": {$ref: "#/components/responses/BadRequest"}
        "401": {$ref: "#/components/responses/Unauthorized"}
        "404": {$ref: "#/components/responses/UnknownConversation"}
        "409": {$ref: "#/components/responses/BusyConversation"}
        "413": {$ref: "#/components/responses/TooLarge"}
        "415": {$ref: "#/components/responses/NotJSON"}
        default: {$ref: "#/components/responses/OtherError"}
  /conversations/{conversation_id}/items/{item_id}:
    get:
      operationId: retrieveConversationItem
      x-headgate-relay: openai-conversations
      tags: [responses]
      summary: One item of a conversation.
      externalDocs: {url: "https://platform.openai.com/docs/api-reference/conversations/retrieve-item"}
      parameters:
        - $ref: "#/components/parameters/ConversationID"
        - name: item_id
          in: path
          required: true
          description: The `id` of an item.
          schema: {type: string}
          example: msg_1
      responses:
        "200":
          description: The item.
          headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
          content: {application/json: {schema: {$ref: "#/components/schemas/ConversationItem"}}}
        "400": {$ref: "#/components/responses/BadRequest"}
        "401": {$ref: "#/components/responses/Unauthorized"}
        "404": {$ref: "#/components/responses/UnknownConversation"}
        default: {$ref: "#/components/responses/OtherError"}
    delete:
      operationId: deleteConversationItem
      x-headgate-relay: openai-conversations
      tags: [responses]
      summary: Takes an item out of a conversation.
      description: |
        While a response is being made in the conversation this is a 409.
      externalDocs: {url: "https://platform.openai.com/docs/api-reference/conversations/delete-item"}
      parameters:
        - $ref: "#/components/parameters/ConversationID"
        - name: item_id
          in: path
          required: true
          description: The `id` of an item.
          schema: {type: string}
          example: msg_2
      responses:
        "200":
          description: The conversation.
          headers: {x-request-id: {$ref: "#/components/headers/RequestID"}}
          content: {application/json: {schema: {$ref: "#/components/schemas/Conversation"}}}
        "400": {$ref: "#/components/responses/BadRequest"}
        "401": {$ref: "#/components/responses/Unauthorized"}
        "404": {$ref: "#/components/responses/UnknownConversation"}
        "409": {$ref: "#/components/responses/BusyConversation"}
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
          schema: {type: string, pattern: "^[0-9]{1,15}$"}
          example: "1"
        - name: last_event_id
          in: query
          description: The same, for clients that cannot send fields.
          schema: {type: string, pattern: "^[0-9]{1,15}$"}
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
          description: The next events are no longer kept, since the stream is longer than its buffer; or the gateway that read it is gone.
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
            x-headgate-cost-usd: {$ref: "#/components/headers/CostUSD"}
            x-headgate-budget-used: {$ref: "#/components/headers/BudgetUsed"}
            x-headgate-degraded: {$ref: "#/components/headers/Degraded"}
            x-headgate-cache: {$ref: "#/components/headers/Cache"}
            age: {$ref: "#/components/headers/Age"}
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
            x-headgate-cost-usd: {$ref: "#/components/headers/CostUSD"}
            x-headgate-budget-used: {$ref: "#/components/headers/BudgetUsed"}
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
"""##
}
