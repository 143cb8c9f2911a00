/// Error of an operation that is not implemented, for example by a test double. A server responds with status 501.
public struct UnimplementedOperation: Error, Equatable, CustomStringConvertible {
    /// Id of the operation.
    public let operationID: String

    public init(operationID: String) { self.operationID = operationID }

    public var description: String { "The operation '\(operationID)' is not implemented." }
}
