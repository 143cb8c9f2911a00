// Generated from openapi.yaml by openapi-generator; do not edit.

extension OpenAPIDocument {
    // swift-format-ignore
    static let yaml1 = ##"""
openapi: 3.1.0
info:
  title: Headgate
  version: 0.1.0
  summary: One local HTTP endpoint in front of every LLM you use.
  description: |
    Headgate takes requests in OpenAI's, Anthropic's and Ollama's form, checks the caller's gateway key, puts the real key on, sends the
    request to the configured upstream, and relays the answer: whole, or as clean Server-Sent Events.

    **Relayed bodies.** An operation with `x-headgate-relay` passes bodies on byte for byte, in both directions. Its schemas
    name only the members that the gateway reads; all others pass through, and the vendor's document says what they mean. Every
    other operation is Headgate's own, and its schemas are complete.

    **The path.** Every path of OpenAI's and Anthropic's API is served with and without `/v1`, so a base URL works either way. Query parameters that
    are not named here are ignored, `HEAD` works wherever `GET` does, and a wrong method gets 405 with `Allow`.

    **Streams.** With `stream: true` the answer is `text/event-stream`; `x-event-schema` names the schema of each event's data.
    Silence is bridged by comments. A stream that breaks off ends with one error in the form of its route, and never with the
    marker of a complete answer. Ollama's streams are JSON documents, each on a line (`application/x-ndjson`), without comments.

    **Errors.** Errors have the form of the vendor whose route was called. Routes of neither use OpenAI's.

    **What would happen.** With `x-headgate-explain: 1` a relayed request is not sent: the answer says where it would go and what
    would be sent there. With `x-headgate-fault` something goes wrong on purpose, where the configuration allows that.
    One with `x-headgate-priority: batch` waits for a full upstream behind all others.

    **Headers.** Every response carries `x-request-id`: the client's own, if it sent a well-formed one, else a new UUID. Where a key,
    its group or a model has limits, answers say what is left of them in the vendor's own fields (`x-ratelimit-...`, or
    `anthropic-ratelimit-...`).
  license:
    name: Apache-2.0
    identifier: Apache-2.0
servers:
  - url: /v1
    description: What SDKs call the base URL.
  - url: /
    description: The same without the version.
security:
  - bearer: []
  - apiKey: []
tags:
  - name: openai
    description: OpenAI's form.
  - name: responses
    description: OpenAI's Responses.
  - name: anthropic
    description: Anthropic's form.
  - name: ollama
    description: Ollama's form, for its apps.
  - name: streams
    description: Streams that go on without their clients.
  - name: models
    description: What is served.
  - name: keys
    description: Who is let in.
  - name: gateway
    description: The gateway itself, without a key.
paths:
  /chat/completions:
    post:
      operationId: createChatCompletion
      x-headgate-relay: openai-chat
      tags: [openai]
      summary: A chat completion, whole or as a stream.
      description: |
        A stream has one event for each chunk of the upstream and ends with exactly one `data: [DONE]`. One that breaks off ends
        with an event that holds an `error` object instead.
      externalDocs: {url: "https://platform.openai.com/docs/api-reference/chat"}
      parameters: [{$ref: "#/components/parameters/Explain"}, {$ref: "#/components/parameters/Fault"}]
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: "#/components/schemas/ChatCompletionRequest"}
            example: {model: smollm2, messages: [{role: user, content: Say hello.}]}
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
            x-headgate-cache: {$ref: "#/components/headers/Cache"}
            age: {$ref: "#/components/headers/Age"}
          content:
            application/json:
              schema: {$ref: "#/components/schemas/ChatCompletion"}
            text/event-stream:
              x-event-schema: {$ref: "#/components/schemas/ChatCompletionChunk"}
              example: |
                data: {"id":"c1","object":"chat.completion.chunk","model":"smollm2","choices":[{"index":0,"delta":{"content":"Hello"},"finish_reason":null}]}

                data: [DONE]
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
  /completions:
    post:
      operationId: createCompletion
      x-headgate-relay: openai-completions
      tags: [openai]
      summary: A legacy completion of a prompt, whole or as a stream.
      description: Streams end and break off like those of chat completions.
      externalDocs: {url: "https://platform.openai.com/docs/api-reference/completions"}
      parameters: [{$ref: "#/components/parameters/Explain"}, {$ref: "#/components/parameters/Fault"}]
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: "#/components/schemas/CompletionRequest"}
            example: {model: smollm2, prompt: "Once upon a time", max_tokens: 16}
      responses:
        "200":
          description: The text that continues the prompt.
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
              schema: {$ref: "#/components/schemas/Completion"}
            text/event-stream:
              x-event-schema: {$ref: "#/components/schemas/Completion"}
              example: |
                data: {"id":"c1","object":"text_completion","model":"smollm2","choices":[{"index":0,"text":", there","finish_reason":null}]}

                data: [DONE]
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
  /embeddings:
    post:
      operationId: createEmbedding
      x-headgate-relay: openai-embeddings
      tags: [openai]
      summary: The embeddings of texts, as numbers or as base64.
      externalDocs: {url: "https://platform.openai.com/docs/api-reference/embeddings"}
      parameters: [{$ref: "#/components/parameters/Explain"}, {$ref: "#/components/parameters/Fault"}]
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: "#/components/schemas/ModelRequest"}
            example: {model: text-embedding-3-small, input: "A gate at the head of a canal."}
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
            x-headgate-cache: {$ref: "#/components/headers/Cache"}
            age: {$ref: "#/components/headers/Age"}
          content:
            application/json: {schema: {$ref: "#/components/schemas/EmbeddingList"}}
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
  /moderations:
    post:
      operationId: createModeration
      x-headgate-relay: openai-moderations
      tags: [openai]
      summary: Whether texts or images are harmful.
      externalDocs: {url: "https://platform.openai.com/docs/api-reference/moderations"}
      parameters: [{$ref: "#/components/parameters/Explain"}, {$ref: "#/components/parameters/Fault"}]
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: "#/components/schemas/ModelRequest"}
            example: {model: omni-moderation-latest, input: "Say hello."}
      responses:
        "200":
          description: One result for each input.
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
  /images/generations:
    post:
      operationId: createImage
      x-headgate-relay: openai-images
      tags: [openai]
      summary: Images made from a text.
      externalDocs: {url: "https://platform.openai.com/docs/api-reference/images/create"}
      parameters: [{$ref: "#/components/parameters/Explain"}, {$ref: "#/components/parameters/Fault"}]
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: "#/components/schemas/ImageRequest"}
            example: {model: gpt-image-1, prompt: "A wooden gate at the head of a canal."}
      responses:
        "200":
          description: The images, as base64 or as addresses.
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
  /images/edits:
    post:
      operationId: createImageEdit
      x-headgate-relay: openai-image-edits
      tags: [openai]
      summary: Images made from others and a text.
      description: |
        A form, of 64 MiB at most, is sent on as it comes from when its part `model` is known: put that before the file. What
        comes before it is kept in memory, at most `limits: {body}` of it. A form is sent once: only while nothing of it has been
        sent is another target tried.
      externalDocs: {url: "https://platform.openai.com/docs/api-reference/images/createEdit"}
      requestBody:
        required: true
        content:
          multipart/form-data:
            schema: {$ref: "#/components/schemas/ModelForm"}
            example: {model: gpt-image-1, prompt: Open the gate., image: PNG}
      responses:
        "200":
          description: The images, as base64 or as addresses.
          headers:
            x-request-id: {$ref: "#/components/headers/RequestID"}
            x-headgate-upstream: {$ref: "#/components/headers/Upstream"}
            x-headgate-attempts: {$ref: "#/components/headers/Attempts"}
            x-headgate-cost-usd: {$ref: "#/components/headers/CostUSD"}
            x-headgate-budget-used: {$ref: "#/components/headers/BudgetUsed"}
            x-headgate-degraded: {$ref: "#/components/headers/Degraded"}
          content:
            application/json: {schema: {$ref: "#/components/schemas/Relayed"}}
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
  /images/variations:
    post:
      operationId: createImageVariation
      x-headgate-relay: openai-image-variations
      tags: [openai]
      summary: Variations of an image.
      description: |
        A form, of 64 MiB at most, is sent on as it comes from when its part `model` is known: put that before the file. What
        comes before it is kept in memory, at most `limits: {body}` of it. A form is sent once: only while nothing of it has been
        sent is another target tried.
      externalDocs: {url: "https://platform.openai.com/docs/api-reference/images/createVariation"}
      requestBody:
        required: true
        content:
          multipart/form-data:
            schema: {$ref: "#/components/schemas/ModelForm"}
            example: {model: gpt-image-1, prompt: Open the gate., image: PNG}
      responses:
        "200":
          description: The images, as base64 or as addresses.
          headers:
            x-request-id: {$ref: "#/components/headers/RequestID"}
            x-headgate-upstream: {$ref: "#/components/headers/Upstream"}
            x-headgate-attempts: {$ref: "#/components/headers/Attempts"}
            x-headgate-cost-usd: {$ref: "#/components/headers/CostUSD"}
            x-headgate-budget-used: {$ref: "#/components/headers/BudgetUsed"}
            x-headgate-degraded: {$ref: "#/components/headers/Degraded"}
          content:
            application/json: {schema: {$ref: "#/components/schemas/Relayed"}}
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
  /audio/speech:
    post:
      operationId: createSpeech
      x-headgate-relay: openai-speech
      tags: [openai]
      summary: A text read aloud.
      externalDocs: {url: "https://platform.openai.com/docs/api-reference/audio/createSpeech"}
      parameters: [{$ref: "#/components/parameters/Explain"}, {$ref: "#/components/parameters/Fault"}]
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: "#/components/schemas/SpeechRequest"}
            example: {model: gpt-4o-mini-tts, voice: alloy, input: "The gate is open."}
      responses:
        "200":
          description: The sound, relayed as it comes under the media type of the upstream.
          headers:
            x-request-id: {$ref: "#/components/headers/RequestID"}
            x-headgate-upstream: {$ref: "#/components/headers/Upstream"}
            x-headgate-attempts: {$ref: "#/components/headers/Attempts"}
            x-headgate-cost-usd: {$ref: "#/components/headers/CostUSD"}
            x-headgate-budget-used: {$ref: "#/components/headers/BudgetUsed"}
            x-headgate-degraded: {$ref: "#/components/headers/Degraded"}
          content:
            "audio/*": {}
            application/octet-stream: {}
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
  /audio/transcriptions:
    post:
      operationId: createTranscription
      x-headgate-relay: openai-transcriptions
      tags: [openai]
      summary: What is said in a recording.
      description: |
"""##
}
