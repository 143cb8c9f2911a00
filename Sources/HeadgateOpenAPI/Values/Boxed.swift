/// A value that is held elsewhere, so that a type can have properties of its own type: in generated code, of schemas
/// that refer to themselves.
public indirect enum Boxed<Value> {
    /// The value.
    case boxed(Value)

    public init(_ value: Value) { self = .boxed(value) }

    public var value: Value {
        switch self {
        case .boxed(let value): value
        }
    }
}

extension Boxed: Sendable where Value: Sendable {}
extension Boxed: Equatable where Value: Equatable {}
extension Boxed: Hashable where Value: Hashable {}
