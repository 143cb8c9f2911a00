/// Media types of an operation's responses. Generated enumerations conform to it.
public protocol AcceptableProtocol: RawRepresentable, Hashable, CaseIterable, Sendable where RawValue == String {}

/// Preference of a client for a media type, from 0 (not acceptable) to 1 (the default).
public struct QualityValue: Hashable, Sendable, ExpressibleByFloatLiteral {
    private let thousandths: UInt16

    /// Creates a quality.
    ///
    /// - Parameter doubleValue: Value from 0 to 1.
    public init(doubleValue: Double = 1) {
        precondition((0...1).contains(doubleValue), "a quality is from 0 to 1")
        thousandths = UInt16((doubleValue * 1000).rounded())
    }

    /// Creates a quality.
    ///
    /// - Parameter value: Value from 0 to 1.
    public init(floatLiteral value: Double) { self.init(doubleValue: value) }

    /// Whether the quality is 1, so that the header omits it.
    public var isDefault: Bool { thousandths == 1000 }
    /// Value from 0 to 1.
    public var doubleValue: Double { Double(thousandths) / 1000 }
}

/// A media type in `Accept`.
public struct AcceptHeaderContentType<ContentType: AcceptableProtocol>: Hashable, Sendable {
    /// Media type without parameters.
    public var contentType: ContentType
    /// The client's preference for the media type.
    public var quality: QualityValue

    /// Creates a media type, by default with quality 1.
    public init(contentType: ContentType, quality: QualityValue = .init()) {
        self.contentType = contentType
        self.quality = quality
    }

    fileprivate var text: String {
        quality.isDefault ? contentType.rawValue : "\(contentType.rawValue); q=\(quality.doubleValue)"
    }

    /// - Returns: Nil if the text is not a media type with a valid quality.
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
    /// Returns all media types in the document.
    public static func defaultValues<ContentType: AcceptableProtocol>() -> Self
    where Element == AcceptHeaderContentType<ContentType> {
        ContentType.allCases.map { AcceptHeaderContentType(contentType: $0) }
    }
}

/// Media types that a request accepts. Those of a received request are parsed when they are used.
public enum AcceptedTypes<ContentType: AcceptableProtocol>: Hashable, Sendable {
    /// All media types, which is the client's default.
    case all
    case listed([AcceptHeaderContentType<ContentType>])
    case received(HTTPFields)

    /// Creates accepted types.
    ///
    /// - Parameter types: Media types; nil for all.
    @inlinable public init(_ types: [AcceptHeaderContentType<ContentType>]?) {
        if let types { self = .listed(types) } else { self = .all }
    }

    /// Media types in their order.
    public var values: [AcceptHeaderContentType<ContentType>] {
        switch self {
        case .all: return .defaultValues()
        case .listed(let types): return types
        case .received(let fields):
            guard let text = fields[.accept] else { return .defaultValues() }
            return text.split(separator: ",").compactMap { AcceptHeaderContentType($0) }
        }
    }

    /// Returns whether both accept the same types, in any order.
    public static func == (left: Self, right: Self) -> Bool { Set(left.values) == Set(right.values) }

    public func hash(into hasher: inout Hasher) { hasher.combine(Set(values)) }

    /// Value of the header; nil for the client's default.
    var text: String? {
        switch self {
        case .all: nil
        case .listed(let types): types.map(\.text).joined(separator: ", ")
        case .received(let fields): fields[.accept]
        }
    }
}
