/// The media types of an operation's responses, which generated enumerations are.
public protocol AcceptableProtocol: RawRepresentable, Hashable, CaseIterable, Sendable where RawValue == String {}

/// How much a client wants a media type: from 0, not at all, to 1, by default.
public struct QualityValue: Hashable, Sendable, ExpressibleByFloatLiteral {
    private let thousandths: UInt16

    /// - Parameter doubleValue: from 0 to 1.
    public init(doubleValue: Double = 1) {
        precondition((0...1).contains(doubleValue), "a quality is from 0 to 1")
        thousandths = UInt16((doubleValue * 1000).rounded())
    }

    /// - Parameter value: from 0 to 1.
    public init(floatLiteral value: Double) { self.init(doubleValue: value) }

    /// Whether it is 1, and left out of the header.
    public var isDefault: Bool { thousandths == 1000 }
    /// From 0 to 1.
    public var doubleValue: Double { Double(thousandths) / 1000 }
}

/// A media type in `Accept`.
public struct AcceptHeaderContentType<ContentType: AcceptableProtocol>: Hashable, Sendable {
    /// The media type, without parameters.
    public var contentType: ContentType
    /// How much the client wants it.
    public var quality: QualityValue

    /// Creates a media type, by default with quality 1.
    public init(contentType: ContentType, quality: QualityValue = .init()) {
        self.contentType = contentType
        self.quality = quality
    }

    fileprivate var text: String {
        quality.isDefault ? contentType.rawValue : "\(contentType.rawValue); q=\(quality.doubleValue)"
    }

    /// - Returns: nil for a text that is not a media type with a quality.
    fileprivate init?(_ text: Substring) {
        let parts = text.split(separator: ";", omittingEmptySubsequences: false).map { $0.filter { $0 != " " } }
        guard let name = parts.first, !name.isEmpty, let type = ContentType(rawValue: name.lowercased()) else {
            return nil
        }
        contentType = type
        let qualities = parts.dropFirst().filter { $0.lowercased().hasPrefix("q=") }.map { Double($0.dropFirst(2)) }
        guard let first = qualities.first else {
            quality = .init()
            return
        }
        guard let value = first, (0...1).contains(value) else { return nil }
        quality = .init(doubleValue: value)
    }
}

extension Array {
    /// Every media type that the document has.
    public static func defaultValues<ContentType: AcceptableProtocol>() -> Self
    where Element == AcceptHeaderContentType<ContentType> {
        ContentType.allCases.map { AcceptHeaderContentType(contentType: $0) }
    }
}

/// The media types that a request accepts. Those of a request that arrives are read when they are used.
public enum AcceptedTypes<ContentType: AcceptableProtocol>: Hashable, Sendable {
    /// The default of the client.
    case all
    case listed([AcceptHeaderContentType<ContentType>])
    case received(HTTPFields)

    /// - Parameter types: nil for all.
    @inlinable public init(_ types: [AcceptHeaderContentType<ContentType>]?) {
        if let types { self = .listed(types) } else { self = .all }
    }

    /// The media types, in their order.
    public var values: [AcceptHeaderContentType<ContentType>] {
        switch self {
        case .all: return .defaultValues()
        case .listed(let types): return types
        case .received(let fields):
            guard let text = fields[.accept] else { return .defaultValues() }
            return text.split(separator: ",").compactMap { AcceptHeaderContentType($0) }
        }
    }

    /// Whether the same types are accepted, in any order.
    public static func == (left: Self, right: Self) -> Bool { Set(left.values) == Set(right.values) }

    public func hash(into hasher: inout Hasher) { hasher.combine(Set(values)) }

    /// Value of the header; nil for the default of the client.
    var text: String? {
        switch self {
        case .all: nil
        case .listed(let types): types.map(\.text).joined(separator: ", ")
        case .received(let fields): fields[.accept]
        }
    }
}
