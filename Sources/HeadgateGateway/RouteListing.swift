internal import HeadgateRelay

/// One route, for listings.
package struct RouteListing: Hashable, Sendable {
    package let method: String
    package let path: String
    package let operationID: String

    package init(method: String, path: String, operationID: String) {
        self.method = method
        self.path = path
        self.operationID = operationID
    }
}
