import Testing

@testable import HeadgateDialects

@Suite("A strict schema")
struct StrictSchemaTests {
    private static let closed: JSONValue = [
        "type": "object", "properties": ["a": ["type": "string"]], "required": ["a"], "additionalProperties": false,
    ]

    @Test("names all members of its objects, and requires all of them")
    func fitting() {
        #expect(StrictSchema.fits(Self.closed))
        #expect(StrictSchema.fits(["type": "array", "items": Self.closed]))
        #expect(StrictSchema.fits(["type": ["object", "null"], "additionalProperties": false]))
        #expect(StrictSchema.fits(["type": "string"]))
    }

    @Test("is not strict with other or optional members at any depth")
    func loose() {
        let open: JSONValue = ["type": "object", "properties": ["a": ["type": "string"]], "required": ["a"]]
        let optional: JSONValue = [
            "type": "object", "properties": ["a": ["type": "string"]], "additionalProperties": false,
        ]
        for schema in [open, optional] {
            #expect(!StrictSchema.fits(schema))
            #expect(!StrictSchema.fits(["type": "array", "items": schema]))
            #expect(!StrictSchema.fits(["anyOf": [Self.closed, schema]]))
        }
        #expect(!StrictSchema.fits(["type": ["object", "null"]]))
    }
}
