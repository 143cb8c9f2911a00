/// A value in separate storage, so that a type can have properties of its own type. Generated code of recursive schemas
/// uses it.
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
