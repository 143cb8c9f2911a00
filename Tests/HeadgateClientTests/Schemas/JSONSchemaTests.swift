import Foundation
import Testing

@testable import HeadgateClient

@Suite struct JSONSchemaTests {
    private enum Kind: String, Decodable, CaseIterable { case starter, main }
    private enum Level: Int, Decodable, CaseIterable {
        case low = 1
        case high
    }
    private struct Step: Decodable {
        let text: String
        let minutes: Int?
    }
    private struct Recipe: Decodable {
        let title: String
        let vegan: Bool
        let rating: Double
        let kind: Kind
        let level: Level?
        let steps: [Step]
        let tags: Set<String>
        let made: Date
        let page: URL?

        enum CodingKeys: String, CodingKey {
            case title, vegan, rating, kind, level, steps, tags, made
            case page = "page_url"
        }
    }

    @Test func schemaOfATypeIsDerivedRecursively() throws {
        let schema = try JSONSchema(of: Recipe.self)
        let step: JSONValue = [
            "type": "object", "additionalProperties": false, "required": ["minutes", "text"],
            "properties": ["text": ["type": "string"], "minutes": ["type": ["integer", "null"]]],
        ]
        let expected: JSONValue = [
            "type": "object", "additionalProperties": false,
            "required": ["kind", "level", "made", "page_url", "rating", "steps", "tags", "title", "vegan"],
            "properties": [
                "title": ["type": "string"], "vegan": ["type": "boolean"], "rating": ["type": "number"],
                "kind": ["type": "string", "enum": ["starter", "main"]],
                "level": ["anyOf": [["type": "integer", "enum": [1, 2]], ["type": "null"]]],
                "steps": ["type": "array", "items": step],
                "tags": ["type": "array", "items": ["type": "string"]],
                "made": ["type": "string", "format": "date-time"],
                "page_url": ["type": ["string", "null"]],
            ],
        ]
        #expect(schema.schema == expected && schema.name == "Recipe" && schema.isStrict && !schema.isWrapped)
    }

    @Test func nonObjectIsWrappedInAnObject() throws {
        let schema = try JSONSchema(of: [Int].self)
        let list: JSONValue = ["type": "array", "items": ["type": "integer"]]
        #expect(schema.schema == SchemaDerivation.object(["value": list]))
        #expect(schema.isWrapped && schema.name == "Array_Int_")
    }

    @Test func membersOfAnyNameAreNotStrict() throws {
        struct Counts: Decodable { let counts: [String: UInt8] }
        let schema = try JSONSchema(of: Counts.self)
        #expect(!schema.isStrict)
        let counts: JSONValue = ["type": "object", "additionalProperties": ["type": "integer"]]
        #expect(schema.schema == SchemaDerivation.object(["counts": counts]))
        #expect(try !JSONSchema(of: JSONValue.self).isStrict)
    }

    private struct Wrapper: Decodable {
        let list: [[String]]
        let pair: Step

        enum CodingKeys: CodingKey { case list, inner }
        enum Inner: CodingKey { case pair }

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            list = try members.decode([[String]].self, forKey: .list)
            pair = try members.nestedContainer(keyedBy: Inner.self, forKey: .inner).decode(Step.self, forKey: .pair)
        }
    }

    @Test func handWrittenDecodingIsFollowed() throws {
        let schema = try JSONSchema(of: Wrapper.self).schema
        let step = try JSONSchema(of: Step.self).schema
        let list: JSONValue = ["type": "array", "items": ["type": "array", "items": ["type": "string"]]]
        #expect(schema == SchemaDerivation.object(["list": list, "inner": SchemaDerivation.object(["pair": step])]))
    }

    /// A value that decodes until the elements end, without checking `isAtEnd`.
    private struct Rest: Decodable {
        var numbers: [Int] = []
        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            while let number = try? list.decode(Int.self) { numbers.append(number) }
        }
    }

    private struct Point: Decodable {
        let x: Double
        let y: Double
        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            x = try list.decode(Double.self)
            y = try list.decode(Double.self)
        }
    }

    @Test func listsDecodedWithoutAnEndCheckAreDerived() throws {
        struct Both: Decodable {
            let rest: Rest
            let point: Point
        }
        let (integers, numbers): (JSONValue, JSONValue) = (
            ["type": "array", "items": ["type": "integer"]], ["type": "array", "items": ["type": "number"]]
        )
        #expect(
            try JSONSchema(of: Both.self).schema == SchemaDerivation.object(["rest": integers, "point": numbers]))
    }

    private struct Celsius: SchemaProviding {
        let degrees: Double
        init(degrees: Double) { self.degrees = degrees }
        init(from decoder: any Decoder) throws {
            let text = try decoder.singleValueContainer().decode(String.self)
            guard text.hasSuffix(" C"), let number = Double(text.dropLast(2)) else {
                throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "no temperature"))
            }
            degrees = number
        }
        static let jsonSchema: JSONValue = ["type": "string", "description": "such as 18.5 C"]
        static let example = Celsius(degrees: 0)
    }

    @Test func typeCanProvideItsSchema() throws {
        struct Report: Decodable { let now: Celsius }
        #expect(try JSONSchema(of: Report.self).schema == SchemaDerivation.object(["now": Celsius.jsonSchema]))
    }

    private struct Node: Decodable { let children: [Node] }
    private enum Secret: String, Decodable { case a, b }
    private enum Shape: Decodable {
        case circle(radius: Double)
        case point
    }

    @Test func underivableTypeIsNamedWithAdvice() {
        func reason<Value: Decodable>(_ type: Value.Type) -> String {
            do {
                _ = try JSONSchema(of: type)
                return "none"
            } catch HeadgateClientError.invalidRequest(let reason) {
                return reason
            } catch {
                return "\(error)"
            }
        }
        #expect(reason(Node.self).contains("'Node' cannot be derived (it contains itself)"))
        for text in [reason(Secret.self), reason(Shape.self)] {
            #expect(text.contains("accepts no example") && text.contains("SchemaProviding"))
        }
    }
}
