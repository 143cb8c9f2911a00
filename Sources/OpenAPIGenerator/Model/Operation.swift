/// An operation of the supported subset.
struct Operation {
    enum Status: Hashable {
        case code(Int)
        /// All that begin with a digit.
        case range(Int)
        case `default`
    }

    enum Answer {
        case inline(Response)
        /// The name of a response of the components.
        case shared(String)
    }

    let position: SourcePosition
    let id: String
    let method: String
    /// Without the prefix of a server.
    let path: String
    /// Whole templates, one for each server; without servers the path.
    let paths: [String]
    let summary: String?
    let needsKey: Bool
    var tags: [String] = []
    let relay: String?
    let parameters: [Parameter]
    /// Nil without a request body.
    let body: RequestBody?
    let answers: [(status: Status, answer: Answer)]
    /// The media types of all its responses, for libraries.
    var responseTypes: [String] = []
    /// Its names in Swift, as a type and as a function.
    var type = ""
    var member = ""

    func parameters(in location: Parameter.Location) -> [Parameter] { parameters.filter { $0.location == location } }
}

struct Parameter {
    enum Location: String {
        case path
        case query
        case header
        case cookie
    }

    let position: SourcePosition
    let name: String
    let location: Location
    let description: String?
    let isRequired: Bool
    let type: ParameterType
}

/// Type of a parameter.
struct ParameterType {
    enum Form {
        /// One text.
        case scalar(ScalarType)
        /// One item of the query for each value, of which the schema is.
        case list
        /// Anything else, with the case of `ParameterStyle` that says how it is written.
        case styled(String)
    }

    let form: Form
    /// Schema of the value, or of one of several.
    let schema: Schema
}

/// A value that is one text, by its Swift type.
enum ScalarType: String {
    case string = "String"
    case integer = "Int"
    case integer32 = "Int32"
    case integer64 = "Int64"
    case number = "Double"
    case number32 = "Float"
    case boolean = "Bool"
    case date = "OpenAPIDate"
    case base64 = "Base64EncodedData"
}

struct RequestBody {
    let position: SourcePosition
    /// One for each media type, never none.
    let contents: [Content]
    let isRequired: Bool
}

struct Response {
    let description: String
    let headers: [Header]
    let contents: [Content]
}

struct Header {
    let name: String
    let description: String?
    let type: ScalarType
}

struct Content {
    enum Kind {
        case json
        /// `multipart/form-data`.
        case form
        case urlEncodedForm
        case other
    }

    let position: SourcePosition
    /// In lower case, without parameters.
    let mediaType: String
    /// As it is sent.
    var fullType: String
    let schema: Schema?
    /// Members of a form whose elements are written with their number.
    var nested: [String] = []
    /// How the parts of a multipart form are written, by their names.
    var parts: [String: PartNotes] = [:]
    /// Whether a multipart form has no other parts.
    var isClosed = false

    var kind: Kind {
        switch mediaType {
        case "application/json": .json
        case "multipart/form-data": .form
        case "application/x-www-form-urlencoded": .urlEncodedForm
        default: Content.isJSON(mediaType) ? .json : .other
        }
    }

    static func isJSON(_ mediaType: String) -> Bool {
        mediaType == "application/json" || mediaType.hasSuffix("+json") || mediaType == "text/json"
    }

    /// Whether it is a range of media types.
    var isPattern: Bool { mediaType.hasSuffix("/*") }
}

/// A server of the document.
struct Server {
    enum Place {
        /// On this host.
        case host(String, port: Int, isTLS: Bool)
        /// Wherever the document comes from.
        case relative
        /// As a URL says once its variables are known.
        case template(String, [Variable])
    }

    struct Variable {
        let name: String
        let initial: String
        /// All that it may be; none for any text.
        let values: [String]
        let description: String?
    }

    let position: SourcePosition
    let place: Place
    /// The path, without a trailing slash; empty for the root.
    let prefix: String
    let description: String?
}

/// All that code is generated from.
struct Contract {
    var servers: [Server] = []
    var operations: [Operation] = []
    var responses: [(name: String, response: Response)] = []
    var schemas: SchemaTable
    /// Whether schemas that no operation needs have a type.
    var hasAllSchemas = true
    /// Schemas that have one anyway.
    var wantedSchemas: [String] = []
    /// The names of the responses' types.
    var responseTypes: [String: String] = [:]

    init(_ style: CodeStyle) { schemas = SchemaTable([], style) }
}
