internal import HTTPTypes
internal import HeadgateHTTP

/// Sends a gateway key, which is in no description.
struct BearerAuthentication: ClientRequestEditor, CustomStringConvertible, CustomReflectable {
    private let key: String

    init(_ key: String) { self.key = key }

    func edit(_ request: inout HTTPRequest) { request.headerFields[.authorization] = "Bearer \(key)" }

    var description: String { "BearerAuthentication" }
    var customMirror: Mirror { Mirror(self, children: []) }
}
