// Generated from 21-composed.yaml by openapi-generator; do not edit.

public import HeadgateOpenAPI

/// Whatever serves the contract, or stands for a server of it.
nonisolated public protocol APIProtocol: Sendable {
    func addCat(_ input: Operations.AddCat.Input) async throws -> Operations.AddCat.Output
    func addPet(_ input: Operations.AddPet.Input) async throws -> Operations.AddPet.Output
    func tree(_ input: Operations.Tree.Input) async throws -> Operations.Tree.Output
    func allWays(_ input: Operations.AllWays.Input) async throws -> Operations.AllWays.Output
    func sendForm(_ input: Operations.SendForm.Input) async throws -> Operations.SendForm.Output
}

/// Whoever implements only some operations, such as a double in a test, throws ``UnimplementedOperation`` in the
/// others.
nonisolated extension APIProtocol {
    public func addCat(_ input: Operations.AddCat.Input) async throws -> Operations.AddCat.Output {
        throw UnimplementedOperation(operationID: Operations.AddCat.id)
    }

    public func addPet(_ input: Operations.AddPet.Input) async throws -> Operations.AddPet.Output {
        throw UnimplementedOperation(operationID: Operations.AddPet.id)
    }

    public func tree(_ input: Operations.Tree.Input) async throws -> Operations.Tree.Output {
        throw UnimplementedOperation(operationID: Operations.Tree.id)
    }

    public func allWays(_ input: Operations.AllWays.Input) async throws -> Operations.AllWays.Output {
        throw UnimplementedOperation(operationID: Operations.AllWays.id)
    }

    public func sendForm(_ input: Operations.SendForm.Input) async throws -> Operations.SendForm.Output {
        throw UnimplementedOperation(operationID: Operations.SendForm.id)
    }
}

/// The operations with the parts of their inputs in place of them.
nonisolated extension APIProtocol {
    public func addCat(
        headers: Operations.AddCat.Input.Headers = .init(),
        body: Operations.AddCat.Input.Body
    ) async throws -> Operations.AddCat.Output {
        try await addCat(.init(headers: headers, body: body))
    }

    public func addPet(
        headers: Operations.AddPet.Input.Headers = .init(),
        body: Operations.AddPet.Input.Body
    ) async throws -> Operations.AddPet.Output {
        try await addPet(.init(headers: headers, body: body))
    }

    public func tree(
        query: Operations.Tree.Input.Query = .init(),
        headers: Operations.Tree.Input.Headers = .init()
    ) async throws -> Operations.Tree.Output {
        try await tree(.init(query: query, headers: headers))
    }

    public func allWays(
        path: Operations.AllWays.Input.Path,
        query: Operations.AllWays.Input.Query = .init(),
        headers: Operations.AllWays.Input.Headers = .init(),
        cookies: Operations.AllWays.Input.Cookies,
        body: Operations.AllWays.Input.Body
    ) async throws -> Operations.AllWays.Output {
        try await allWays(.init(path: path, query: query, headers: headers, cookies: cookies, body: body))
    }

    public func sendForm(
        headers: Operations.SendForm.Input.Headers = .init(),
        body: Operations.SendForm.Input.Body
    ) async throws -> Operations.SendForm.Output {
        try await sendForm(.init(headers: headers, body: body))
    }
}

/// The input and the output of each operation.
nonisolated public enum Operations {}

/// What operations share.
nonisolated public enum Components {
    /// The schemas.
    nonisolated public enum Schemas {}
    /// Responses of several operations.
    nonisolated public enum Responses {}
    /// Headers, bodies and responses of several places.
    nonisolated public enum Shared {}
}

nonisolated extension Components.Shared {
    /// Media types of the responses of several operations.
    nonisolated public enum JsonAcceptableContentType: AcceptableProtocol {
        case json
        case other(String)

        public init(rawValue: String) {
            switch rawValue.lowercased() {
            case "application/json": self = .json
            default: self = .other(rawValue)
            }
        }

        public var rawValue: String {
            switch self {
            case .json: "application/json"
            case .other(let text): text
            }
        }

        public static var allCases: [Self] {
            [.json]
        }
    }
}

nonisolated extension Components.Shared {
    /// Headers of several messages.
    nonisolated public struct JsonAcceptRequestHeaders: Hashable, Sendable {
        private var acceptedTypes: AcceptedTypes<Components.Shared.JsonAcceptableContentType>

        /// Media types of the response that the client accepts.
        public var accept: [AcceptHeaderContentType<Components.Shared.JsonAcceptableContentType>] {
            get { acceptedTypes.values }
            set { acceptedTypes = .init(newValue) }
        }

        public init(accept: [AcceptHeaderContentType<Components.Shared.JsonAcceptableContentType>]? = nil) {
            acceptedTypes = .init(accept)
        }

        public func encode(into request: inout OutgoingRequest) {
            request.accept(acceptedTypes)
        }

        public init(decoding request: IncomingRequest) throws {
            self.init()
            acceptedTypes = request.accepted()
        }
    }
}

nonisolated extension Components.Schemas {
    nonisolated public struct Named: Codable, Hashable, Sendable, JSONWritable {
        public var kind: String
        public var name: String?

        public init(kind: String, name: String? = nil) {
            self.kind = kind
            self.name = name
        }

        private nonisolated enum CodingKeys: String, CodingKey {
            case kind
            case name
        }

        public func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("kind", self.kind)
            try json.member("name", ifPresent: self.name)
            json.endObject()
        }
    }
}

nonisolated extension Components.Schemas {
    /// A pet that barks.
    nonisolated public struct Dog: Codable, Hashable, Sendable, JSONWritable {
        nonisolated public enum KindPayload: String, Codable, Hashable, Sendable, JSONWritable, ParameterValue,
            CaseIterable
        {
            case dog
        }

        public var kind: KindPayload
        public var name: String
        public var barks: Bool

        public init(kind: KindPayload = .dog, name: String, barks: Bool) {
            self.kind = kind
            self.name = name
            self.barks = barks
        }

        private nonisolated enum CodingKeys: String, CodingKey {
            case kind
            case name
            case barks
        }

        public func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("barks", self.barks)
            try json.member("kind", self.kind)
            try json.member("name", self.name)
            json.endObject()
        }
    }
}

nonisolated extension Components.Schemas {
    nonisolated public struct Cat: Codable, Hashable, Sendable, JSONWritable {
        public var kind: String
        public var name: String?
        public var lives: Int

        public init(kind: String, name: String? = nil, lives: Int) {
            self.kind = kind
            self.name = name
            self.lives = lives
        }

        private nonisolated enum CodingKeys: String, CodingKey {
            case kind
            case name
            case lives
        }

        public func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("kind", self.kind)
            try json.member("lives", self.lives)
            try json.member("name", ifPresent: self.name)
            json.endObject()
        }
    }
}

nonisolated extension Components.Schemas {
    nonisolated public enum Pet: Codable, Hashable, Sendable, JSONWritable {
        case dog(Components.Schemas.Dog)
        case cat(Components.Schemas.Cat)
        case fish(Components.Schemas.Fish)

        private nonisolated enum DiscriminatorKeys: String, CodingKey {
            case kind
        }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: DiscriminatorKeys.self)
            switch try container.decode(String.self, forKey: .kind) {
            case "dog":
                self = .dog(try .init(from: decoder))
            case "cat", "kitten":
                self = .cat(try .init(from: decoder))
            case "Fish":
                self = .fish(try .init(from: decoder))
            default:
                throw DecodingError.dataCorruptedError(
                    forKey: .kind, in: container,
                    debugDescription: "known are: dog, cat, kitten, Fish")
            }
        }

        public func encode(to encoder: any Encoder) throws {
            switch self {
            case .dog(let value): try value.encode(to: encoder)
            case .cat(let value): try value.encode(to: encoder)
            case .fish(let value): try value.encode(to: encoder)
            }
        }

        public func write(to json: inout JSONText) throws {
            switch self {
            case .dog(let value): try value.write(to: &json)
            case .cat(let value): try value.write(to: &json)
            case .fish(let value): try value.write(to: &json)
            }
        }
    }
}

nonisolated extension Components.Schemas {
    nonisolated public struct Fish: Codable, Hashable, Sendable, JSONWritable {
        public var kind: String
        public var depth: Double?

        public init(kind: String, depth: Double? = nil) {
            self.kind = kind
            self.depth = depth
        }

        private nonisolated enum CodingKeys: String, CodingKey {
            case kind
            case depth
        }

        public func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("depth", ifPresent: self.depth)
            try json.member("kind", self.kind)
            json.endObject()
        }
    }
}

nonisolated extension Components.Schemas {
    nonisolated public struct Contact: Codable, Hashable, Sendable, JSONWritable {
        nonisolated public struct Value2Payload: Codable, Hashable, Sendable, JSONWritable {
            public var phone: String

            public init(phone: String) {
                self.phone = phone
            }

            private nonisolated enum CodingKeys: String, CodingKey {
                case phone
            }

            public func write(to json: inout JSONText) throws {
                json.beginObject()
                try json.member("phone", self.phone)
                json.endObject()
            }
        }

        public var value1: Components.Schemas.Email?
        public var value2: Value2Payload?

        public init(value1: Components.Schemas.Email? = nil, value2: Value2Payload? = nil) {
            self.value1 = value1
            self.value2 = value2
        }

        public init(from decoder: any Decoder) throws {
            value1 = try? Components.Schemas.Email(from: decoder)
            value2 = try? Value2Payload(from: decoder)
            if value1 == nil, value2 == nil {
                let context = DecodingError.Context(
                    codingPath: decoder.codingPath, debugDescription: "no schema of 'anyOf' fits")
                throw DecodingError.dataCorrupted(context)
            }
        }

        public func encode(to encoder: any Encoder) throws {
            try value1?.encode(to: encoder)
            try value2?.encode(to: encoder)
        }

        public func write(to json: inout JSONText) throws {
            try json.encode(self)
        }
    }
}

nonisolated extension Components.Schemas {
    nonisolated public struct Email: Codable, Hashable, Sendable, JSONWritable {
        public var email: String
        public var verified: Bool?

        public init(email: String, verified: Bool? = nil) {
            self.email = email
            self.verified = verified
        }

        private nonisolated enum CodingKeys: String, CodingKey {
            case email
            case verified
        }

        public func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("email", self.email)
            try json.member("verified", ifPresent: self.verified)
            json.endObject()
        }
    }
}

nonisolated extension Components.Schemas {
    nonisolated public struct ValidationError: Codable, Hashable, Sendable, JSONWritable {
        nonisolated public enum WherePayload: Codable, Hashable, Sendable, JSONWritable {
            case case1(String)
            case case2(Int)

            public init(from decoder: any Decoder) throws {
                if let value = try? String(from: decoder) {
                    self = .case1(value)
                    return
                }
                self = .case2(try .init(from: decoder))
            }

            public func encode(to encoder: any Encoder) throws {
                switch self {
                case .case1(let value): try value.encode(to: encoder)
                case .case2(let value): try value.encode(to: encoder)
                }
            }

            public func write(to json: inout JSONText) throws {
                switch self {
                case .case1(let value): try value.write(to: &json)
                case .case2(let value): try value.write(to: &json)
                }
            }
        }

        nonisolated public enum InputPayload: Codable, Hashable, Sendable, JSONWritable {
            nonisolated public struct Case3Payload: Codable, Hashable, Sendable, JSONWritable {
                public var a: Int

                public init(a: Int) {
                    self.a = a
                }

                private nonisolated enum CodingKeys: String, CodingKey {
                    case a
                }

                public func write(to json: inout JSONText) throws {
                    json.beginObject()
                    try json.member("a", self.a)
                    json.endObject()
                }
            }

            case case1(Bool)
            case case2([String])
            case case3(Case3Payload)

            public init(from decoder: any Decoder) throws {
                if let value = try? Bool(from: decoder) {
                    self = .case1(value)
                    return
                }
                if let value = try? [String](from: decoder) {
                    self = .case2(value)
                    return
                }
                self = .case3(try .init(from: decoder))
            }

            public func encode(to encoder: any Encoder) throws {
                switch self {
                case .case1(let value): try value.encode(to: encoder)
                case .case2(let value): try value.encode(to: encoder)
                case .case3(let value): try value.encode(to: encoder)
                }
            }

            public func write(to json: inout JSONText) throws {
                switch self {
                case .case1(let value): try value.write(to: &json)
                case .case2(let value): try value.write(to: &json)
                case .case3(let value): try value.write(to: &json)
                }
            }
        }

        public var `where`: [WherePayload]
        public var hint: String?
        public var contact: Components.Schemas.Contact?
        public var input: InputPayload?

        public init(
            `where`: [WherePayload],
            hint: String? = nil,
            contact: Components.Schemas.Contact? = nil,
            input: InputPayload? = nil
        ) {
            self.`where` = `where`
            self.hint = hint
            self.contact = contact
            self.input = input
        }

        private nonisolated enum CodingKeys: String, CodingKey {
            case `where` = "where"
            case hint
            case contact
            case input
        }

        public func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("contact", ifPresent: self.contact)
            try json.member("hint", ifPresent: self.hint)
            try json.member("input", ifPresent: self.input)
            try json.member("where", self.`where`)
            json.endObject()
        }
    }
}

nonisolated extension Components.Schemas {
    nonisolated public struct Tree: Codable, Hashable, Sendable, JSONWritable {
        public var name: String
        public var children: [Components.Schemas.Tree]?
        public var byName: [String: Components.Schemas.Tree]?
        public var parent: Components.Schemas.Branch? {
            get { _boxedParent.value }
            set { _boxedParent = Boxed(newValue) }
        }
        private var _boxedParent: Boxed<Components.Schemas.Branch?>
        public var next: Components.Schemas.Tree? {
            get { _boxedNext.value }
            set { _boxedNext = Boxed(newValue) }
        }
        private var _boxedNext: Boxed<Components.Schemas.Tree?>

        public init(
            name: String,
            children: [Components.Schemas.Tree]? = nil,
            byName: [String: Components.Schemas.Tree]? = nil,
            parent: Components.Schemas.Branch? = nil,
            next: Components.Schemas.Tree? = nil
        ) {
            self.name = name
            self.children = children
            self.byName = byName
            self._boxedParent = Boxed(parent)
            self._boxedNext = Boxed(next)
        }

        private nonisolated enum CodingKeys: String, CodingKey {
            case name
            case children
            case byName
            case parent
            case next
        }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            name = try container.decode(String.self, forKey: .name)
            children = try container.decodeIfPresent([Components.Schemas.Tree].self, forKey: .children)
            byName = try container.decodeIfPresent([String: Components.Schemas.Tree].self, forKey: .byName)
            _boxedParent = Boxed(try container.decodeIfPresent(Components.Schemas.Branch.self, forKey: .parent))
            _boxedNext = Boxed(try container.decodeIfPresent(Components.Schemas.Tree.self, forKey: .next))
        }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(name, forKey: .name)
            try container.encodeIfPresent(children, forKey: .children)
            try container.encodeIfPresent(byName, forKey: .byName)
            try container.encodeIfPresent(parent, forKey: .parent)
            try container.encodeIfPresent(next, forKey: .next)
        }

        public func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("byName", ifPresent: self.byName)
            try json.member("children", ifPresent: self.children)
            try json.member("name", self.name)
            try json.member("next", ifPresent: self.next)
            try json.member("parent", ifPresent: self.parent)
            json.endObject()
        }
    }
}

nonisolated extension Components.Schemas {
    nonisolated public struct Branch: Codable, Hashable, Sendable, JSONWritable {
        public var tree: Components.Schemas.Tree? {
            get { _boxedTree.value }
            set { _boxedTree = Boxed(newValue) }
        }
        private var _boxedTree: Boxed<Components.Schemas.Tree?>
        public var length: Int?

        public init(tree: Components.Schemas.Tree? = nil, length: Int? = nil) {
            self._boxedTree = Boxed(tree)
            self.length = length
        }

        private nonisolated enum CodingKeys: String, CodingKey {
            case tree
            case length
        }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            _boxedTree = Boxed(try container.decodeIfPresent(Components.Schemas.Tree.self, forKey: .tree))
            length = try container.decodeIfPresent(Int.self, forKey: .length)
        }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encodeIfPresent(tree, forKey: .tree)
            try container.encodeIfPresent(length, forKey: .length)
        }

        public func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("length", ifPresent: self.length)
            try json.member("tree", ifPresent: self.tree)
            json.endObject()
        }
    }
}

nonisolated extension Components.Schemas {
    nonisolated public indirect enum Expression: Codable, Hashable, Sendable, JSONWritable {
        case sum(Components.Schemas.Sum)
        case negation(Components.Schemas.Negation)
        case case3(Double)

        public init(from decoder: any Decoder) throws {
            if let value = try? Components.Schemas.Sum(from: decoder) {
                self = .sum(value)
                return
            }
            if let value = try? Components.Schemas.Negation(from: decoder) {
                self = .negation(value)
                return
            }
            self = .case3(try .init(from: decoder))
        }

        public func encode(to encoder: any Encoder) throws {
            switch self {
            case .sum(let value): try value.encode(to: encoder)
            case .negation(let value): try value.encode(to: encoder)
            case .case3(let value): try value.encode(to: encoder)
            }
        }

        public func write(to json: inout JSONText) throws {
            switch self {
            case .sum(let value): try value.write(to: &json)
            case .negation(let value): try value.write(to: &json)
            case .case3(let value): try value.write(to: &json)
            }
        }
    }
}

nonisolated extension Components.Schemas {
    nonisolated public struct Sum: Codable, Hashable, Sendable, JSONWritable {
        public var left: Components.Schemas.Expression {
            get { _boxedLeft.value }
            set { _boxedLeft = Boxed(newValue) }
        }
        private var _boxedLeft: Boxed<Components.Schemas.Expression>
        public var right: Components.Schemas.Expression {
            get { _boxedRight.value }
            set { _boxedRight = Boxed(newValue) }
        }
        private var _boxedRight: Boxed<Components.Schemas.Expression>

        public init(left: Components.Schemas.Expression, right: Components.Schemas.Expression) {
            self._boxedLeft = Boxed(left)
            self._boxedRight = Boxed(right)
        }

        private nonisolated enum CodingKeys: String, CodingKey {
            case left
            case right
        }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            _boxedLeft = Boxed(try container.decode(Components.Schemas.Expression.self, forKey: .left))
            _boxedRight = Boxed(try container.decode(Components.Schemas.Expression.self, forKey: .right))
        }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(left, forKey: .left)
            try container.encode(right, forKey: .right)
        }

        public func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("left", self.left)
            try json.member("right", self.right)
            json.endObject()
        }
    }
}

nonisolated extension Components.Schemas {
    nonisolated public struct Negation: Codable, Hashable, Sendable, JSONWritable {
        public var negated: Components.Schemas.Expression {
            get { _boxedNegated.value }
            set { _boxedNegated = Boxed(newValue) }
        }
        private var _boxedNegated: Boxed<Components.Schemas.Expression>

        public init(negated: Components.Schemas.Expression) {
            self._boxedNegated = Boxed(negated)
        }

        private nonisolated enum CodingKeys: String, CodingKey {
            case negated
        }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            _boxedNegated = Boxed(try container.decode(Components.Schemas.Expression.self, forKey: .negated))
        }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(negated, forKey: .negated)
        }

        public func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("negated", self.negated)
            json.endObject()
        }
    }
}

nonisolated extension Components.Schemas {
    nonisolated public struct Either: Codable, Hashable, Sendable, JSONWritable {
        nonisolated public struct Value1Payload: Codable, Hashable, Sendable, JSONWritable {
            public var a: Components.Schemas.Either {
                get { _boxedA.value }
                set { _boxedA = Boxed(newValue) }
            }
            private var _boxedA: Boxed<Components.Schemas.Either>

            public init(a: Components.Schemas.Either) {
                self._boxedA = Boxed(a)
            }

            private nonisolated enum CodingKeys: String, CodingKey {
                case a
            }

            public init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                _boxedA = Boxed(try container.decode(Components.Schemas.Either.self, forKey: .a))
            }

            public func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encode(a, forKey: .a)
            }

            public func write(to json: inout JSONText) throws {
                json.beginObject()
                try json.member("a", self.a)
                json.endObject()
            }
        }

        public var value1: Value1Payload?
        public var value2: Components.Schemas.Other? {
            get { _boxedValue2.value }
            set { _boxedValue2 = Boxed(newValue) }
        }
        private var _boxedValue2: Boxed<Components.Schemas.Other?>

        public init(value1: Value1Payload? = nil, value2: Components.Schemas.Other? = nil) {
            self.value1 = value1
            self._boxedValue2 = Boxed(value2)
        }

        public init(from decoder: any Decoder) throws {
            value1 = try? Value1Payload(from: decoder)
            _boxedValue2 = Boxed(try? Components.Schemas.Other(from: decoder))
            if value1 == nil, value2 == nil {
                let context = DecodingError.Context(
                    codingPath: decoder.codingPath, debugDescription: "no schema of 'anyOf' fits")
                throw DecodingError.dataCorrupted(context)
            }
        }

        public func encode(to encoder: any Encoder) throws {
            try value1?.encode(to: encoder)
            try value2?.encode(to: encoder)
        }

        public func write(to json: inout JSONText) throws {
            try json.encode(self)
        }
    }
}

nonisolated extension Components.Schemas {
    nonisolated public struct Other: Codable, Hashable, Sendable, JSONWritable {
        public var b: Int
        public var either: Components.Schemas.Either? {
            get { _boxedEither.value }
            set { _boxedEither = Boxed(newValue) }
        }
        private var _boxedEither: Boxed<Components.Schemas.Either?>

        public init(b: Int, either: Components.Schemas.Either? = nil) {
            self.b = b
            self._boxedEither = Boxed(either)
        }

        private nonisolated enum CodingKeys: String, CodingKey {
            case b
            case either
        }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            b = try container.decode(Int.self, forKey: .b)
            _boxedEither = Boxed(try container.decodeIfPresent(Components.Schemas.Either.self, forKey: .either))
        }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(b, forKey: .b)
            try container.encodeIfPresent(either, forKey: .either)
        }

        public func write(to json: inout JSONText) throws {
            json.beginObject()
            try json.member("b", self.b)
            try json.member("either", ifPresent: self.either)
            json.endObject()
        }
    }
}

nonisolated extension Components.Schemas {
    nonisolated public struct Open: Codable, Hashable, Sendable, JSONWritable {
        public var id: String
        public var any: OpenAPIValueContainer
        public var at: OpenAPIDate?
        public var data: Base64EncodedData?
        /// Members that have no name in the document.
        public var additionalProperties: OpenAPIObjectContainer

        public init(
            id: String,
            any: OpenAPIValueContainer,
            at: OpenAPIDate? = nil,
            data: Base64EncodedData? = nil,
            additionalProperties: OpenAPIObjectContainer = .init()
        ) {
            self.id = id
            self.any = any
            self.at = at
            self.data = data
            self.additionalProperties = additionalProperties
        }

        private nonisolated enum CodingKeys: String, CodingKey {
            case id
            case any
            case at
            case data
        }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            id = try container.decode(String.self, forKey: .id)
            any = try container.decode(OpenAPIValueContainer.self, forKey: .any)
            at = try container.decodeIfPresent(OpenAPIDate.self, forKey: .at)
            data = try container.decodeIfPresent(Base64EncodedData.self, forKey: .data)
            additionalProperties = try decoder.additionalProperties(besides: ["id", "any", "at", "data"])
        }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(id, forKey: .id)
            try container.encode(any, forKey: .any)
            try container.encodeIfPresent(at, forKey: .at)
            try container.encodeIfPresent(data, forKey: .data)
            try encoder.encode(additionalProperties: additionalProperties)
        }

        public func write(to json: inout JSONText) throws {
            try json.encode(self)
        }
    }
}

nonisolated extension Components.Schemas {
    nonisolated public struct Counts: Codable, Hashable, Sendable, JSONWritable {
        public var name: String?
        /// Members that have no name in the document.
        public var additionalProperties: [String: Int32]

        public init(name: String? = nil, additionalProperties: [String: Int32] = .init()) {
            self.name = name
            self.additionalProperties = additionalProperties
        }

        private nonisolated enum CodingKeys: String, CodingKey {
            case name
        }

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            name = try container.decodeIfPresent(String.self, forKey: .name)
            additionalProperties = try decoder.additionalProperties(besides: ["name"])
        }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encodeIfPresent(name, forKey: .name)
            try encoder.encode(additionalProperties: additionalProperties)
        }

        public func write(to json: inout JSONText) throws {
            try json.encode(self)
        }
    }
}

nonisolated extension Components.Schemas {
    public typealias Alias = Components.Schemas.Counts
}

nonisolated extension Components.Schemas {
    nonisolated public enum Moment: Codable, Hashable, Sendable, JSONWritable {
        nonisolated public enum Case2Payload: Int, Codable, Hashable, Sendable, JSONWritable, ParameterValue,
            CaseIterable
        {
            case _1 = 1
            case _2 = 2
        }

        case case1(OpenAPIDate)
        case case2(Case2Payload)
        case case3(OpenAPIObjectContainer)

        public init(from decoder: any Decoder) throws {
            if let value = try? decoder.value(OpenAPIDate.self) {
                self = .case1(value)
                return
            }
            if let value = try? Case2Payload(from: decoder) {
                self = .case2(value)
                return
            }
            self = .case3(try .init(from: decoder))
        }

        public func encode(to encoder: any Encoder) throws {
            switch self {
            case .case1(let value): try encoder.encode(value: value)
            case .case2(let value): try value.encode(to: encoder)
            case .case3(let value): try value.encode(to: encoder)
            }
        }

        public func write(to json: inout JSONText) throws {
            switch self {
            case .case1(let value): try value.write(to: &json)
            case .case2(let value): try value.write(to: &json)
            case .case3(let value): try value.write(to: &json)
            }
        }
    }
}

nonisolated extension Components.Schemas {
    nonisolated public struct Both: Codable, Hashable, Sendable, JSONWritable {
        nonisolated public enum Value2Payload: Codable, Hashable, Sendable, JSONWritable {
            case fish(Components.Schemas.Fish)
            case other(Components.Schemas.Other)

            public init(from decoder: any Decoder) throws {
                if let value = try? Components.Schemas.Fish(from: decoder) {
                    self = .fish(value)
                    return
                }
                self = .other(try .init(from: decoder))
            }

            public func encode(to encoder: any Encoder) throws {
                switch self {
                case .fish(let value): try value.encode(to: encoder)
                case .other(let value): try value.encode(to: encoder)
                }
            }

            public func write(to json: inout JSONText) throws {
                switch self {
                case .fish(let value): try value.write(to: &json)
                case .other(let value): try value.write(to: &json)
                }
            }
        }

        public var value1: Components.Schemas.Email
        public var value2: Value2Payload

        public init(value1: Components.Schemas.Email, value2: Value2Payload) {
            self.value1 = value1
            self.value2 = value2
        }

        public init(from decoder: any Decoder) throws {
            value1 = try Components.Schemas.Email(from: decoder)
            value2 = try Value2Payload(from: decoder)
        }

        public func encode(to encoder: any Encoder) throws {
            try value1.encode(to: encoder)
            try value2.encode(to: encoder)
        }

        public func write(to json: inout JSONText) throws {
            try json.encode(self)
        }
    }
}

nonisolated extension Operations {
    ///
    /// `POST /cats`
    nonisolated public enum AddCat {
        public static let id = "addCat"
        public static let operation = APIOperation(
            id: id,
            method: .post,
            path: "/cats",
            responseContentTypes: ["application/json"])

        nonisolated public struct Input: Hashable, Sendable {
            public typealias Headers = Components.Shared.JsonAcceptRequestHeaders

            nonisolated public enum Body: Hashable, Sendable {
                case json(Components.Schemas.Cat)

                public func encode(into request: inout OutgoingRequest) throws {
                    switch self {
                    case .json(let body): try request.encodedJSON(body)
                    }
                }
            }

            public var headers: Headers
            public var body: Body

            public init(headers: Headers = .init(), body: Body) {
                self.headers = headers
                self.body = body
            }
        }

        public typealias AcceptableContentType = Components.Shared.JsonAcceptableContentType

        nonisolated public enum Output {
            /// The same, and where it is kept.
            nonisolated public struct Ok: Hashable, Sendable {
                nonisolated public enum Body: Hashable, Sendable {
                    nonisolated public struct JsonPayload: Codable, Hashable, Sendable, JSONWritable {
                        public var kind: String
                        public var name: String?
                        public var lives: Int
                        public var shelf: Int?

                        public init(kind: String, name: String? = nil, lives: Int, shelf: Int? = nil) {
                            self.kind = kind
                            self.name = name
                            self.lives = lives
                            self.shelf = shelf
                        }

                        private nonisolated enum CodingKeys: String, CodingKey {
                            case kind
                            case name
                            case lives
                            case shelf
                        }

                        public func write(to json: inout JSONText) throws {
                            json.beginObject()
                            try json.member("kind", self.kind)
                            try json.member("lives", self.lives)
                            try json.member("name", ifPresent: self.name)
                            try json.member("shelf", ifPresent: self.shelf)
                            json.endObject()
                        }
                    }

                    case json(JsonPayload)

                    public var json: JsonPayload {
                        get throws {
                            switch self {
                            case .json(let body): return body
                            }
                        }
                    }

                    public func encoded(in response: consuming OutgoingResponse) throws -> RawResponse {
                        switch self {
                        case .json(let body): return try response.json(body)
                        }
                    }

                    public nonisolated(nonsending) init(decoding response: IncomingResponse) async throws {
                        switch response.mediaType {
                        case "application/json": self = .json(try await response.json())
                        default: throw response.unexpectedContentType
                        }
                    }
                }

                public var body: Body

                public init(body: Body) {
                    self.body = body
                }

                public func encoded(status: Int) throws -> RawResponse {
                    try body.encoded(in: OutgoingResponse(status: status))
                }

                public nonisolated(nonsending) init(decoding response: IncomingResponse) async throws {
                    body = try await Body(decoding: response)
                }
            }

            /// The same, and where it is kept.
            case ok(Ok)
            /// Fields or a body that the contract does not spell out.
            case undocumented(statusCode: Int, UndocumentedPayload)

            public var statusCode: Int {
                switch self {
                case .ok: 200
                case .undocumented(let statusCode, _): statusCode
                }
            }

            private func unexpected(_ expected: String) -> UnexpectedResponse {
                .status(statusCode, expected: expected)
            }

            public var ok: Ok {
                get throws { if case .ok(let value) = self { value } else { throw unexpected("ok") } }
            }
        }
    }
}

nonisolated extension Operations.AddCat.Input {
    public nonisolated(nonsending) init(decoding request: IncomingRequest) async throws {
        headers = try Headers(decoding: request)
        body = .json(try await request.json())
    }

    public func encoded() throws -> OutgoingRequest {
        var request = OutgoingRequest(Operations.AddCat.operation)
        headers.encode(into: &request)
        try body.encode(into: &request)
        return request
    }
}

nonisolated extension Operations.AddCat.Output {
    public func encoded() throws -> RawResponse {
        switch self {
        case .ok(let response): try response.encoded(status: 200)
        case .undocumented(let statusCode, let payload): payload.encoded(status: statusCode)
        }
    }

    public nonisolated(nonsending) init(decoding response: IncomingResponse) async throws {
        switch response.status {
        case 200: self = .ok(try await .init(decoding: response))
        default: self = .undocumented(statusCode: response.status, .init(decoding: response))
        }
    }
}

nonisolated extension Operations {
    ///
    /// `POST /pets`
    nonisolated public enum AddPet {
        public static let id = "addPet"
        public static let operation = APIOperation(
            id: id,
            method: .post,
            path: "/pets",
            responseContentTypes: ["application/json"])

        nonisolated public struct Input: Hashable, Sendable {
            public typealias Headers = Components.Shared.JsonAcceptRequestHeaders

            nonisolated public enum Body: Hashable, Sendable {
                case json(Components.Schemas.Pet)

                public func encode(into request: inout OutgoingRequest) throws {
                    switch self {
                    case .json(let body): try request.encodedJSON(body)
                    }
                }
            }

            public var headers: Headers
            public var body: Body

            public init(headers: Headers = .init(), body: Body) {
                self.headers = headers
                self.body = body
            }
        }

        public typealias AcceptableContentType = Components.Shared.JsonAcceptableContentType

        nonisolated public enum Output {
            /// The same.
            nonisolated public struct Ok: Hashable, Sendable {
                nonisolated public enum Body: Hashable, Sendable {
                    case json(Components.Schemas.Pet)

                    public var json: Components.Schemas.Pet {
                        get throws {
                            switch self {
                            case .json(let body): return body
                            }
                        }
                    }

                    public func encoded(in response: consuming OutgoingResponse) throws -> RawResponse {
                        switch self {
                        case .json(let body): return try response.json(body)
                        }
                    }

                    public nonisolated(nonsending) init(decoding response: IncomingResponse) async throws {
                        switch response.mediaType {
                        case "application/json": self = .json(try await response.json())
                        default: throw response.unexpectedContentType
                        }
                    }
                }

                public var body: Body

                public init(body: Body) {
                    self.body = body
                }

                public func encoded(status: Int) throws -> RawResponse {
                    try body.encoded(in: OutgoingResponse(status: status))
                }

                public nonisolated(nonsending) init(decoding response: IncomingResponse) async throws {
                    body = try await Body(decoding: response)
                }
            }

            /// What is wrong.
            nonisolated public struct UnprocessableContent: Hashable, Sendable {
                nonisolated public enum Body: Hashable, Sendable {
                    case json(Components.Schemas.ValidationError)

                    public var json: Components.Schemas.ValidationError {
                        get throws {
                            switch self {
                            case .json(let body): return body
                            }
                        }
                    }

                    public func encoded(in response: consuming OutgoingResponse) throws -> RawResponse {
                        switch self {
                        case .json(let body): return try response.json(body)
                        }
                    }

                    public nonisolated(nonsending) init(decoding response: IncomingResponse) async throws {
                        switch response.mediaType {
                        case "application/json": self = .json(try await response.json())
                        default: throw response.unexpectedContentType
                        }
                    }
                }

                public var body: Body

                public init(body: Body) {
                    self.body = body
                }

                public func encoded(status: Int) throws -> RawResponse {
                    try body.encoded(in: OutgoingResponse(status: status))
                }

                public nonisolated(nonsending) init(decoding response: IncomingResponse) async throws {
                    body = try await Body(decoding: response)
                }
            }

            /// The same.
            case ok(Ok)
            /// What is wrong.
            case unprocessableContent(UnprocessableContent)
            /// Fields or a body that the contract does not spell out.
            case undocumented(statusCode: Int, UndocumentedPayload)

            public var statusCode: Int {
                switch self {
                case .ok: 200
                case .unprocessableContent: 422
                case .undocumented(let statusCode, _): statusCode
                }
            }

            private func unexpected(_ expected: String) -> UnexpectedResponse {
                .status(statusCode, expected: expected)
            }

            public var ok: Ok {
                get throws { if case .ok(let value) = self { value } else { throw unexpected("ok") } }
            }

            public var unprocessableContent: UnprocessableContent {
                get throws {
                    if case .unprocessableContent(let value) = self { return value }
                    throw unexpected("unprocessableContent")
                }
            }
        }
    }
}

nonisolated extension Operations.AddPet.Input {
    public nonisolated(nonsending) init(decoding request: IncomingRequest) async throws {
        headers = try Headers(decoding: request)
        body = .json(try await request.json())
    }

    public func encoded() throws -> OutgoingRequest {
        var request = OutgoingRequest(Operations.AddPet.operation)
        headers.encode(into: &request)
        try body.encode(into: &request)
        return request
    }
}

nonisolated extension Operations.AddPet.Output {
    public func encoded() throws -> RawResponse {
        switch self {
        case .ok(let response): try response.encoded(status: 200)
        case .unprocessableContent(let response): try response.encoded(status: 422)
        case .undocumented(let statusCode, let payload): payload.encoded(status: statusCode)
        }
    }

    public nonisolated(nonsending) init(decoding response: IncomingResponse) async throws {
        switch response.status {
        case 200: self = .ok(try await .init(decoding: response))
        case 422: self = .unprocessableContent(try await .init(decoding: response))
        default: self = .undocumented(statusCode: response.status, .init(decoding: response))
        }
    }
}

nonisolated extension Operations {
    ///
    /// `GET /trees`
    nonisolated public enum Tree {
        public static let id = "tree"
        public static let operation = APIOperation(
            id: id,
            method: .get,
            path: "/trees",
            responseContentTypes: ["application/json"])

        nonisolated public struct Input: Hashable, Sendable {
            nonisolated public struct Query: Hashable, Sendable {
                public var root: String?

                public init(root: String? = nil) {
                    self.root = root
                }
            }

            public typealias Headers = Components.Shared.JsonAcceptRequestHeaders

            public var query: Query
            public var headers: Headers

            public init(query: Query = .init(), headers: Headers = .init()) {
                self.query = query
                self.headers = headers
            }
        }

        public typealias AcceptableContentType = Components.Shared.JsonAcceptableContentType

        nonisolated public enum Output {
            /// All of it.
            nonisolated public struct Ok: Hashable, Sendable {
                nonisolated public enum Body: Hashable, Sendable {
                    case json(Components.Schemas.Tree)

                    public var json: Components.Schemas.Tree {
                        get throws {
                            switch self {
                            case .json(let body): return body
                            }
                        }
                    }

                    public func encoded(in response: consuming OutgoingResponse) throws -> RawResponse {
                        switch self {
                        case .json(let body): return try response.json(body)
                        }
                    }

                    public nonisolated(nonsending) init(decoding response: IncomingResponse) async throws {
                        switch response.mediaType {
                        case "application/json": self = .json(try await response.json())
                        default: throw response.unexpectedContentType
                        }
                    }
                }

                public var body: Body

                public init(body: Body) {
                    self.body = body
                }

                public func encoded(status: Int) throws -> RawResponse {
                    try body.encoded(in: OutgoingResponse(status: status))
                }

                public nonisolated(nonsending) init(decoding response: IncomingResponse) async throws {
                    body = try await Body(decoding: response)
                }
            }

            /// All of it.
            case ok(Ok)
            /// Fields or a body that the contract does not spell out.
            case undocumented(statusCode: Int, UndocumentedPayload)

            public var statusCode: Int {
                switch self {
                case .ok: 200
                case .undocumented(let statusCode, _): statusCode
                }
            }

            private func unexpected(_ expected: String) -> UnexpectedResponse {
                .status(statusCode, expected: expected)
            }

            public var ok: Ok {
                get throws { if case .ok(let value) = self { value } else { throw unexpected("ok") } }
            }
        }
    }
}

nonisolated extension Operations.Tree.Input {
    public init(decoding request: IncomingRequest) throws {
        query = Query(root: try request.query("root"))
        headers = try Headers(decoding: request)
    }

    public func encoded() -> OutgoingRequest {
        var request = OutgoingRequest(Operations.Tree.operation)
        request.query("root", query.root)
        headers.encode(into: &request)
        return request
    }
}

nonisolated extension Operations.Tree.Output {
    public func encoded() throws -> RawResponse {
        switch self {
        case .ok(let response): try response.encoded(status: 200)
        case .undocumented(let statusCode, let payload): payload.encoded(status: statusCode)
        }
    }

    public nonisolated(nonsending) init(decoding response: IncomingResponse) async throws {
        switch response.status {
        case 200: self = .ok(try await .init(decoding: response))
        default: self = .undocumented(statusCode: response.status, .init(decoding: response))
        }
    }
}

nonisolated extension Operations {
    ///
    /// `POST /ways/{ids}`
    nonisolated public enum AllWays {
        public static let id = "allWays"
        public static let operation = APIOperation(
            id: id,
            method: .post,
            path: "/ways/{ids}",
            responseContentTypes: ["application/json", "application/problem+json"])

        nonisolated public struct Input: Hashable, Sendable {
            nonisolated public struct Path: Hashable, Sendable {
                public var ids: [Int]

                public init(ids: [Int]) {
                    self.ids = ids
                }
            }

            nonisolated public struct Query: Hashable, Sendable {
                nonisolated public enum TagsPayload: String, Codable, Hashable, Sendable, JSONWritable, ParameterValue,
                    CaseIterable
                {
                    case a
                    case b
                }

                public var other: Components.Schemas.Other?
                public var since: OpenAPIDate?
                public var tags: [TagsPayload]?

                public init(
                    other: Components.Schemas.Other? = nil,
                    since: OpenAPIDate? = nil,
                    tags: [TagsPayload]? = nil
                ) {
                    self.other = other
                    self.since = since
                    self.tags = tags
                }
            }

            nonisolated public struct Cookies: Hashable, Sendable {
                public var session: String

                public init(session: String) {
                    self.session = session
                }
            }

            nonisolated public struct Headers: Hashable, Sendable {
                public var xMap: [String: Int]?
                private var acceptedTypes: AcceptedTypes<Operations.AllWays.AcceptableContentType>

                /// Media types of the response that the client accepts.
                public var accept: [AcceptHeaderContentType<Operations.AllWays.AcceptableContentType>] {
                    get { acceptedTypes.values }
                    set { acceptedTypes = .init(newValue) }
                }

                public init(
                    xMap: [String: Int]? = nil,
                    accept: [AcceptHeaderContentType<Operations.AllWays.AcceptableContentType>]? = nil
                ) {
                    self.xMap = xMap
                    acceptedTypes = .init(accept)
                }

                public func encode(into request: inout OutgoingRequest) throws {
                    try request.header(HeaderNames.xMap, self.xMap, .assignments)
                    request.accept(acceptedTypes)
                }

                public init(decoding request: IncomingRequest) throws {
                    self.init(xMap: try request.header(HeaderNames.xMap, .assignments))
                    acceptedTypes = request.accepted()
                }
            }

            nonisolated public enum Body: Hashable, Sendable {
                case applicationVndOddJson(Components.Schemas.Other)
                case urlEncodedForm(Components.Schemas.Fish)

                public func encode(into request: inout OutgoingRequest) throws {
                    switch self {
                    case .applicationVndOddJson(let body):
                        try request.encodedJSON(body, contentType: "application/vnd.odd+json; v=1")
                    case .urlEncodedForm(let body): try request.urlEncodedForm(body)
                    }
                }
            }

            public var path: Path
            public var query: Query
            public var headers: Headers
            public var cookies: Cookies
            public var body: Body

            public init(path: Path, query: Query = .init(), headers: Headers = .init(), cookies: Cookies, body: Body) {
                self.path = path
                self.query = query
                self.headers = headers
                self.cookies = cookies
                self.body = body
            }
        }

        nonisolated public enum AcceptableContentType: AcceptableProtocol {
            case json
            case applicationProblemJson
            case other(String)

            public init(rawValue: String) {
                switch rawValue.lowercased() {
                case "application/json": self = .json
                case "application/problem+json": self = .applicationProblemJson
                default: self = .other(rawValue)
                }
            }

            public var rawValue: String {
                switch self {
                case .json: "application/json"
                case .applicationProblemJson: "application/problem+json"
                case .other(let text): text
                }
            }

            public static var allCases: [Self] {
                [.json, .applicationProblemJson]
            }
        }

        nonisolated public enum Output {
            /// One of two.
            nonisolated public struct Ok: Hashable, Sendable {
                nonisolated public enum Body: Hashable, Sendable {
                    case json(Components.Schemas.Other)
                    case applicationProblemJson(Components.Schemas.Email)

                    public var json: Components.Schemas.Other {
                        get throws {
                            if case .json(let body) = self { return body }
                            throw UnexpectedResponse.body(expected: "json")
                        }
                    }

                    public var applicationProblemJson: Components.Schemas.Email {
                        get throws {
                            if case .applicationProblemJson(let body) = self { return body }
                            throw UnexpectedResponse.body(expected: "applicationProblemJson")
                        }
                    }

                    public func encoded(in response: consuming OutgoingResponse) throws -> RawResponse {
                        switch self {
                        case .json(let body):
                            return try response.json(body, contentType: "application/json; charset=utf-8")
                        case .applicationProblemJson(let body):
                            return try response.json(body, contentType: "application/problem+json")
                        }
                    }

                    public nonisolated(nonsending) init(decoding response: IncomingResponse) async throws {
                        switch response.mediaType {
                        case "application/json": self = .json(try await response.json())
                        case "application/problem+json": self = .applicationProblemJson(try await response.json())
                        default: throw response.unexpectedContentType
                        }
                    }
                }

                public var body: Body

                public init(body: Body) {
                    self.body = body
                }

                public func encoded(status: Int) throws -> RawResponse {
                    try body.encoded(in: OutgoingResponse(status: status))
                }

                public nonisolated(nonsending) init(decoding response: IncomingResponse) async throws {
                    body = try await Body(decoding: response)
                }
            }

            /// Wrong.
            nonisolated public struct ClientError: Hashable, Sendable {
                nonisolated public enum Body: Hashable, Sendable {
                    case json(Components.Schemas.Fish)

                    public var json: Components.Schemas.Fish {
                        get throws {
                            switch self {
                            case .json(let body): return body
                            }
                        }
                    }

                    public func encoded(in response: consuming OutgoingResponse) throws -> RawResponse {
                        switch self {
                        case .json(let body): return try response.json(body)
                        }
                    }

                    public nonisolated(nonsending) init(decoding response: IncomingResponse) async throws {
                        switch response.mediaType {
                        case "application/json": self = .json(try await response.json())
                        default: throw response.unexpectedContentType
                        }
                    }
                }

                public var body: Body

                public init(body: Body) {
                    self.body = body
                }

                public func encoded(status: Int) throws -> RawResponse {
                    try body.encoded(in: OutgoingResponse(status: status))
                }

                public nonisolated(nonsending) init(decoding response: IncomingResponse) async throws {
                    body = try await Body(decoding: response)
                }
            }

            /// Otherwise.
            nonisolated public struct Default: Hashable, Sendable {
                public init() {}

                public func encoded(status: Int) throws -> RawResponse {
                    OutgoingResponse(status: status).empty()
                }

                public nonisolated(nonsending) init(decoding response: IncomingResponse) async throws {
                }
            }

            /// One of two.
            case ok(Ok)
            /// Wrong.
            case clientError(statusCode: Int, ClientError)
            /// Otherwise.
            case `default`(statusCode: Int, Default)

            public var statusCode: Int {
                switch self {
                case .ok: 200
                case .clientError(let statusCode, _): statusCode
                case .default(let statusCode, _): statusCode
                }
            }

            private func unexpected(_ expected: String) -> UnexpectedResponse {
                .status(statusCode, expected: expected)
            }

            public var ok: Ok {
                get throws { if case .ok(let value) = self { value } else { throw unexpected("ok") } }
            }

            public var clientError: ClientError {
                get throws {
                    if case .clientError(_, let value) = self { value } else { throw unexpected("clientError") }
                }
            }

            public var `default`: Default {
                get throws { if case .default(_, let value) = self { value } else { throw unexpected("default") } }
            }
        }
    }
}

nonisolated extension Operations.AllWays.Input {
    public nonisolated(nonsending) init(decoding request: IncomingRequest) async throws {
        path = Path(ids: try request.path("ids", .commas))
        query = Query(
            other: try request.query("other", .deepObject),
            since: try request.query("since"),
            tags: try request.query("tags", .commas))
        cookies = Cookies(session: try request.requiredCookie("session"))
        headers = try Headers(decoding: request)
        switch request.mediaType {
        case "application/vnd.odd+json": body = .applicationVndOddJson(try await request.anyJSON())
        case "application/x-www-form-urlencoded": body = .urlEncodedForm(try await request.urlEncodedForm())
        default:
            throw RequestViolation.contentType(expected: "application/vnd.odd+json, application/x-www-form-urlencoded")
        }
    }

    public func encoded() throws -> OutgoingRequest {
        var request = OutgoingRequest(Operations.AllWays.operation)
        try request.path("ids", path.ids, .commas)
        try request.query("other", query.other, .deepObject)
        request.query("since", query.since)
        try request.query("tags", query.tags, .commas)
        request.cookie("session", cookies.session)
        try headers.encode(into: &request)
        try body.encode(into: &request)
        return request
    }
}

nonisolated extension Operations.AllWays.Output {
    public func encoded() throws -> RawResponse {
        switch self {
        case .ok(let response): try response.encoded(status: 200)
        case .clientError(let statusCode, let response): try response.encoded(status: statusCode)
        case .default(let statusCode, let response): try response.encoded(status: statusCode)
        }
    }

    public nonisolated(nonsending) init(decoding response: IncomingResponse) async throws {
        switch response.status {
        case 200: self = .ok(try await .init(decoding: response))
        case 400...499:
            self = .clientError(statusCode: response.status, try await .init(decoding: response))
        default: self = .default(statusCode: response.status, try await .init(decoding: response))
        }
    }
}

nonisolated extension Operations {
    ///
    /// `POST /forms`
    nonisolated public enum SendForm {
        public static let id = "sendForm"
        public static let operation = APIOperation(
            id: id,
            method: .post,
            path: "/forms",
            responseContentTypes: ["multipart/form-data"])

        nonisolated public struct Input {
            nonisolated public struct Headers: Hashable, Sendable {
                private var acceptedTypes: AcceptedTypes<Operations.SendForm.AcceptableContentType>

                /// Media types of the response that the client accepts.
                public var accept: [AcceptHeaderContentType<Operations.SendForm.AcceptableContentType>] {
                    get { acceptedTypes.values }
                    set { acceptedTypes = .init(newValue) }
                }

                public init(accept: [AcceptHeaderContentType<Operations.SendForm.AcceptableContentType>]? = nil) {
                    acceptedTypes = .init(accept)
                }

                public func encode(into request: inout OutgoingRequest) {
                    request.accept(acceptedTypes)
                }

                public init(decoding request: IncomingRequest) throws {
                    self.init()
                    acceptedTypes = request.accepted()
                }
            }

            nonisolated public enum Body {
                nonisolated public enum MultipartFormPayload: MultipartFormPart {
                    nonisolated public struct FilePayload {
                        nonisolated public struct Headers: Hashable, Sendable {
                            public var xSize: Int?

                            public init(xSize: Int? = nil) {
                                self.xSize = xSize
                            }

                            public func encode(into part: inout MultipartRawPart) {
                                part.set(HeaderNames.xSize, self.xSize)
                            }

                            public init(decoding part: MultipartRawPart) {
                                self.init(xSize: part.header(HeaderNames.xSize))
                            }
                        }

                        public var headers: Headers
                        public var body: HTTPBody

                        public init(headers: Headers = .init(), body: HTTPBody) {
                            self.headers = headers
                            self.body = body
                        }
                    }

                    nonisolated public struct MetaPayload: Hashable, Sendable {
                        public var body: Components.Schemas.Other

                        public init(body: Components.Schemas.Other) {
                            self.body = body
                        }
                    }

                    nonisolated public struct TagsPayload {
                        public var body: HTTPBody

                        public init(body: HTTPBody) {
                            self.body = body
                        }
                    }

                    nonisolated public struct NotePayload {
                        public var body: HTTPBody

                        public init(body: HTTPBody) {
                            self.body = body
                        }
                    }

                    case file(MultipartPart<FilePayload>)
                    case meta(MultipartPart<MetaPayload>)
                    case tags(MultipartPart<TagsPayload>)
                    case note(MultipartPart<NotePayload>)
                    case undocumented(MultipartRawPart)

                    public static let rules = MultipartRules(
                        required: ["file", "meta"],
                        single: ["file", "meta", "note"],
                        repeated: ["tags"],
                        json: ["meta"],
                        others: .bytes)

                    public init(decoding part: MultipartRawPart) throws {
                        switch part.name {
                        case "file":
                            self = .file(
                                .init(
                                    payload: .init(headers: .init(decoding: part), body: part.body),
                                    filename: part.filename))
                        case "meta":
                            self = .meta(.init(payload: .init(body: try part.json()), filename: part.filename))
                        case "tags":
                            self = .tags(.init(payload: .init(body: part.body), filename: part.filename))
                        case "note":
                            self = .note(.init(payload: .init(body: part.body), filename: part.filename))
                        default:
                            self = .undocumented(part)
                        }
                    }

                    public func encoded() throws -> MultipartRawPart {
                        switch self {
                        case .file(let part):
                            var raw = MultipartRawPart(
                                name: "file",
                                filename: part.filename,
                                body: part.payload.body,
                                contentType: "image/png")
                            part.payload.headers.encode(into: &raw)
                            return raw
                        case .meta(let part):
                            return try MultipartRawPart(
                                name: "meta",
                                filename: part.filename,
                                json: part.payload.body,
                                contentType: "application/json")
                        case .tags(let part):
                            return MultipartRawPart(
                                name: "tags",
                                filename: part.filename,
                                body: part.payload.body,
                                contentType: nil)
                        case .note(let part):
                            return MultipartRawPart(
                                name: "note",
                                filename: part.filename,
                                body: part.payload.body,
                                contentType: nil)
                        case .undocumented(let part): return part
                        }
                    }
                }

                case multipartForm(MultipartBody<MultipartFormPayload>)

                public func encode(into request: inout OutgoingRequest) throws {
                    switch self {
                    case .multipartForm(let body): try request.multipartForm(body)
                    }
                }
            }

            public var headers: Headers
            public var body: Body

            public init(headers: Headers = .init(), body: Body) {
                self.headers = headers
                self.body = body
            }
        }

        nonisolated public enum AcceptableContentType: AcceptableProtocol {
            case multipartForm
            case applicationProblemJson
            case other(String)

            public init(rawValue: String) {
                switch rawValue.lowercased() {
                case "multipart/form-data": self = .multipartForm
                case "application/problem+json": self = .applicationProblemJson
                default: self = .other(rawValue)
                }
            }

            public var rawValue: String {
                switch self {
                case .multipartForm: "multipart/form-data"
                case .applicationProblemJson: "application/problem+json"
                case .other(let text): text
                }
            }

            public static var allCases: [Self] {
                [.multipartForm, .applicationProblemJson]
            }
        }

        nonisolated public enum Output {
            /// Parts of any name.
            nonisolated public struct Ok {
                nonisolated public enum Body {
                    nonisolated public enum MultipartFormPayload: MultipartFormPart {
                        nonisolated public struct AdditionalPropertiesPayload: Hashable, Sendable {
                            public var body: Components.Schemas.Other

                            public init(body: Components.Schemas.Other) {
                                self.body = body
                            }
                        }

                        case other(MultipartDynamicallyNamedPart<AdditionalPropertiesPayload>)

                        public static let rules = MultipartRules(
                            others: .json)

                        public init(decoding part: MultipartRawPart) throws {
                            self = .other(
                                .init(payload: .init(body: try part.json()), filename: part.filename, name: part.name))
                        }

                        public func encoded() throws -> MultipartRawPart {
                            switch self {
                            case .other(let part):
                                return try MultipartRawPart(
                                    name: part.name,
                                    filename: part.filename,
                                    json: part.payload.body,
                                    contentType: "application/json")
                            }
                        }
                    }

                    case multipartForm(MultipartBody<MultipartFormPayload>)

                    public var multipartForm: MultipartBody<MultipartFormPayload> {
                        get throws {
                            switch self {
                            case .multipartForm(let body): return body
                            }
                        }
                    }

                    public func encoded(in response: consuming OutgoingResponse) throws -> RawResponse {
                        switch self {
                        case .multipartForm(let body): return try response.multipartForm(body)
                        }
                    }

                    public init(decoding response: IncomingResponse) throws {
                        switch response.mediaType {
                        case "multipart/form-data": self = .multipartForm(try response.multipartForm())
                        default: throw response.unexpectedContentType
                        }
                    }
                }

                public var body: Body

                public init(body: Body) {
                    self.body = body
                }

                public func encoded(status: Int) throws -> RawResponse {
                    try body.encoded(in: OutgoingResponse(status: status))
                }

                public nonisolated(nonsending) init(decoding response: IncomingResponse) async throws {
                    body = try Body(decoding: response)
                }
            }

            /// Otherwise.
            nonisolated public struct Default {
                nonisolated public enum Body {
                    case applicationProblemJson(HTTPBody)

                    public var applicationProblemJson: HTTPBody {
                        get throws {
                            switch self {
                            case .applicationProblemJson(let body): return body
                            }
                        }
                    }

                    public func encoded(in response: consuming OutgoingResponse) throws -> RawResponse {
                        switch self {
                        case .applicationProblemJson(let body):
                            return response.bytes(body, contentType: "application/problem+json")
                        }
                    }

                    public init(decoding response: IncomingResponse) throws {
                        switch response.mediaType {
                        case "application/problem+json": self = .applicationProblemJson(try response.bytes())
                        default: throw response.unexpectedContentType
                        }
                    }
                }

                public var body: Body

                public init(body: Body) {
                    self.body = body
                }

                public func encoded(status: Int) throws -> RawResponse {
                    try body.encoded(in: OutgoingResponse(status: status))
                }

                public nonisolated(nonsending) init(decoding response: IncomingResponse) async throws {
                    body = try Body(decoding: response)
                }
            }

            /// Parts of any name.
            case ok(Ok)
            /// Otherwise.
            case `default`(statusCode: Int, Default)

            public var statusCode: Int {
                switch self {
                case .ok: 200
                case .default(let statusCode, _): statusCode
                }
            }

            private func unexpected(_ expected: String) -> UnexpectedResponse {
                .status(statusCode, expected: expected)
            }

            public var ok: Ok {
                get throws { if case .ok(let value) = self { value } else { throw unexpected("ok") } }
            }

            public var `default`: Default {
                get throws { if case .default(_, let value) = self { value } else { throw unexpected("default") } }
            }
        }
    }
}

nonisolated extension Operations.SendForm.Input {
    public init(decoding request: IncomingRequest) throws {
        headers = try Headers(decoding: request)
        body = .multipartForm(try request.multipartForm())
    }

    public func encoded() throws -> OutgoingRequest {
        var request = OutgoingRequest(Operations.SendForm.operation)
        headers.encode(into: &request)
        try body.encode(into: &request)
        return request
    }
}

nonisolated extension Operations.SendForm.Output {
    public func encoded() throws -> RawResponse {
        switch self {
        case .ok(let response): try response.encoded(status: 200)
        case .default(let statusCode, let response): try response.encoded(status: statusCode)
        }
    }

    public nonisolated(nonsending) init(decoding response: IncomingResponse) async throws {
        switch response.status {
        case 200: self = .ok(try await .init(decoding: response))
        default: self = .default(statusCode: response.status, try await .init(decoding: response))
        }
    }
}

/// The names of the headers that the contract describes.
nonisolated enum HeaderNames {
    static let xMap = HTTPField.Name("x-map")!
    static let xSize = HTTPField.Name("x-size")!
}
