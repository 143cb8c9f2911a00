/// An operation of the supported subset.
struct Operation {
    enum Status: Hashable {
        case code(Int)
        /// All codes that begin with this digit.
        case range(Int)
        case `default`
    }

    enum Answer {
        case inline(Response)
        /// Name of a response in the components.
        case shared(String)
    }

    let position: SourcePosition
    let id: String
    let method: String
    /// Path without the prefix of a server.
    let path: String
    /// Path templates, one per server with its prefix. Without servers, the path.
    let paths: [String]
    let summary: String?
    let needsKey: Bool
    var tags: [String] = []
    let relay: String?
    let parameters: [Parameter]
    /// Request body; nil for none.
    let body: RequestBody?
    let answers: [(status: Status, answer: Answer)]
    /// Media types of all responses, for libraries.
    var responseTypes: [String] = []
    /// Swift names of the operation, as a type and as a function.
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
        /// A single text.
        case scalar(ScalarType)
        /// One query item per value. The schema describes one value.
        case list
        /// Any other form. The text is a case of `ParameterStyle`.
        case styled(String)
    }

    let form: Form
    /// Schema of the value, or of one of several values.
    let schema: Schema
}

/// A value that is a single text, by its Swift type.
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
    /// Contents, one per media type; never empty.
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
    /// Media type in lower case, without parameters.
    let mediaType: String
    /// Media type as it is sent.
    var fullType: String
    let schema: Schema?
    /// Members of a form whose elements are written with their index.
    var nested: [String] = []
    /// Properties of the parts of a multipart form, by name.
    var parts: [String: PartNotes] = [:]
    /// Whether a multipart form can have no other parts.
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

    /// Whether the media type is a range.
    var isPattern: Bool { mediaType.hasSuffix("/*") }
}

/// A server in the document.
struct Server {
    enum Place {
        /// A server at a host.
        case host(String, port: Int, isTLS: Bool)
        /// A server relative to the document's location.
        case relative
        /// A server whose URL depends on variables.
        case template(String, [Variable])
    }

    struct Variable {
        let name: String
        let initial: String
        /// Allowed values; empty for any text.
        let values: [String]
        let description: String?
    }

    let position: SourcePosition
    let place: Place
    /// Path without a trailing slash; empty for the root.
    let prefix: String
    let description: String?
}

/// The model of a document from which code is generated.
struct Contract {
    var servers: [Server] = []
    var operations: [Operation] = []
    var responses: [(name: String, response: Response)] = []
    var schemas: SchemaTable
    /// Whether schemas that no operation needs also get a type.
    var hasAllSchemas = true
    /// Names of further schemas that get a type.
    var wantedSchemas: [String] = []
    /// Names of the types of component responses.
    var responseTypes: [String: String] = [:]

    init(_ style: CodeStyle) { schemas = SchemaTable([], style) }
}
