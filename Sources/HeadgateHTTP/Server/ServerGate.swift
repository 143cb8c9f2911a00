/// Checks a request's head before the body is read: records something, or refuses the request.
package protocol ServerGate: Sendable {
    /// - Throws: what the request is refused with.
    func admit(_ request: RequestHead, metadata: ServerRequestMetadata, operationID: String) throws
}
