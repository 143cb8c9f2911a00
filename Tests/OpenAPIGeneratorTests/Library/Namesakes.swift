@testable import OpenAPIGenerator

/// A document whose schemas, responses and an operation have the names of types that its operations share.
enum Namesakes {
    static let document = """
        openapi: 3.1.0
        info: {title: Namesakes, version: "1"}
        paths:
        \(["left", "right", "jsonPetResponseBody"].map(operation).joined(separator: "\n"))
        components:
          schemas:
            Pet: {type: object, required: [name], properties: {name: {type: string}}}
            Shared: {type: object, properties: {XTraceResponseHeaders: {type: string}}}
            XTraceResponseHeaders: {type: object, properties: {a: {$ref: "#/components/schemas/Shared"}}}
            JsonPetRequestBody: {type: string}
            JsonPetResponseBody: {type: object, properties: {pet: {$ref: "#/components/schemas/Pet"}}}
          responses:
            Shared: {description: It., content: {application/json: {schema: {$ref: "#/components/schemas/Shared"}}}}
            Headers: {description: It., headers: {X-Trace: {schema: {type: string}}}}
            XTraceJsonPetResponse: {description: It., headers: {X-Trace: {schema: {type: string}}}}
        """

    private static func operation(_ id: String) -> String {
        """
          /\(id):
            post:
              operationId: \(id)
              parameters:
                - {name: X-Trace, in: header, required: true, schema: {type: string, enum: ["on", "off"]}}
              requestBody:
                required: true
                content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}
              responses:
                "200":
                  description: It.
                  headers: {X-Trace: {schema: {type: string}}}
                  content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}
                "201":
                  description: It.
                  content: {application/json: {schema: {type: object, properties: {kind: {type: string, enum: [a]}}}}}
                "404": {$ref: "#/components/responses/Headers"}
                default: {$ref: "#/components/responses/Shared"}
        """
    }

    /// An app that names every part of an operation by its path.
    static let user = GeneratedFile(
        path: "User.swift",
        text: """
            nonisolated func ask(_ client: some APIProtocol) async throws -> Set<String?> {
                let headers = Operations.Left.Input.Headers(xTrace: .on)
                let other: Operations.Right.Input.Headers.XTracePayload = .off
                let pet = Components.Schemas.Pet(name: "Rex")
                let body: Operations.Left.Input.Body = .json(pet)
                let output = try await client.left(.init(headers: headers, body: body))
                let mine = Operations.Right.Output.Ok(
                    headers: Operations.Right.Output.Ok.Headers(xTrace: other.rawValue),
                    body: Operations.Right.Output.Ok.Body.json(pet))
                let made = Operations.Left.Output.Created(body: .json(.init(kind: .a)))
                let kind = Operations.Right.Output.Created.Body.JsonPayload.KindPayload.a
                if case .json(let payload) = made.body, payload.kind == kind { return [] }
                return try [output.ok.body.json.name, mine.headers.xTrace, output.notFound.headers.xTrace]
            }

            """)
}
