/// An operation of the supported subset.
struct Operation {
    enum Status: Hashable {
        case code(Int)
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
    let relay: String?
    let parameters: [Parameter]
    /// Nil without a request body.
    let body: RequestBody?
    let answers: [(status: Status, answer: Answer)]

    func parameters(in location: Parameter.Location) -> [Parameter] { parameters.filter { $0.location == location } }
}

struct Parameter {
    enum Location: String {
        case path
        case query
        case header
    }

    let position: SourcePosition
    let name: String
    let location: Location
    let description: String?
    let isRequired: Bool
    let type: ParameterType
}

/// What a parameter can be.
struct ParameterType {
    let scalar: ScalarType
    /// Of the value, or of one of several.
    let schema: Schema
    /// Whether it may come several times.
    let isList: Bool
}

/// What one value of a parameter or a header is on the wire.
enum ScalarType: String {
    case string = "String"
    case integer = "Int"
    case number = "Double"
    case boolean = "Bool"
}

struct RequestBody {
    enum Kind {
        case json
        /// `multipart/form-data`.
        case form
        case other
    }

    let position: SourcePosition
    let kind: Kind
    let mediaType: String
    let schema: Schema?
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
    let position: SourcePosition
    let mediaType: String
    let schema: Schema?
}

/// A server of the document.
struct Server {
    enum Place {
        /// On this host.
        case host(String, port: Int, isTLS: Bool)
        /// Wherever the document comes from.
        case relative
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
    var schemas = SchemaTable([])
}
