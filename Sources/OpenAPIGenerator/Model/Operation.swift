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
    /// Whole templates, one for each server.
    let paths: [String]
    let summary: String
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
    let type: ScalarType
}

/// What a parameter or a header can be.
enum ScalarType: String {
    case string = "String"
    case integer = "Int"
    case boolean = "Bool"
}

struct RequestBody {
    enum Kind {
        case json
        /// `multipart/form-data`.
        case form
    }

    let position: SourcePosition
    let kind: Kind
    let schema: Schema
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

/// All that code is generated from.
struct Contract {
    var operations: [Operation] = []
    var responses: [(name: String, response: Response)] = []
    var schemas = SchemaTable([])
}
