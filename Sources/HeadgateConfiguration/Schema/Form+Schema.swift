extension Form {
    /// Members of the schema that describe the form. The caller adds a description.
    var schema: [(String, SchemaValue)] {
        switch self {
        case .text:
            [("type", .texts(["string", "number", "boolean"]))]
        case .pattern(let pattern):
            [("type", .text("string")), ("pattern", .text("\(pattern)|\(Self.variable)"))]
        case .choice(let texts):
            Self.either([[("enum", .texts(texts))], Self.interpolated])
        case .flag:
            Self.either([[("type", .text("boolean"))], [("enum", .texts(["true", "false"]))], Self.interpolated])
        case .wholeNumber(let range):
            Self.either([
                [
                    ("type", .text("integer")), ("minimum", .number(range.lowerBound)),
                    ("maximum", .number(range.upperBound)),
                ],
                [("type", .text("string")), ("pattern", .text("^[0-9]+$|\(Self.variable)"))],
            ])
        case .fraction:
            Self.either([
                [("type", .text("number")), ("minimum", .number(0)), ("maximum", .number(1))],
                [("type", .text("string")), ("pattern", .text("^[0-9.]+$|\(Self.variable)"))],
            ])
        case .amount:
            Self.either([
                [("type", .text("number")), ("minimum", .number(0))],
                [("type", .text("string")), ("pattern", .text("^[0-9]+([.][0-9]+)?$|\(Self.variable)"))],
            ])
        case .null:
            [("type", .text("null"))]
        case .list(let item, let minimum):
            [("type", .text("array")), ("items", .members(item.schema))]
                + (minimum > 0 ? [("minItems", .number(minimum))] : [])
        case .mapping(let declaration):
            [("$ref", declaration.reference)]
        case .named(let value):
            [("type", .text("object")), ("additionalProperties", .members(value.schema))]
        case .anyOf(let forms):
            Self.either(forms.map(\.schema))
        case .json:
            []
        }
    }

    /// Pattern for text with a variable, whose value is unknown.
    private static let variable = "\\$"
    private static var interpolated: [(String, SchemaValue)] {
        [("type", .text("string")), ("pattern", .text(variable))]
    }

    private static func either(_ alternatives: [[(String, SchemaValue)]]) -> [(String, SchemaValue)] {
        [("anyOf", .list(alternatives.map(SchemaValue.members)))]
    }
}
