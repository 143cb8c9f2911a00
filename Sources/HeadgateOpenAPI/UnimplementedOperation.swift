/// An operation was called of something that does not implement it, such as a double in a test. A server responds with
/// status 501.
public struct UnimplementedOperation: Error, Equatable, CustomStringConvertible {
    /// The operation's id.
    public let operationID: String

    public init(operationID: String) { self.operationID = operationID }

    public var description: String { "The operation '\(operationID)' is not implemented." }
}
