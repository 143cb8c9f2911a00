internal import HeadgateLibC

/// A text as a key of dictionaries and sets, which is equal only to the same bytes.
///
/// For Swift's own `String`, canonically equivalent texts are equal, such as `K` and the Kelvin sign. For upstreams
/// they are two names.
package struct ExactText: Hashable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    @inlinable
    package static func == (left: ExactText, right: ExactText) -> Bool { left.text.isExactly(right.text) }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension StringProtocol {
    /// Returns whether the bytes are the same.
    package func isExactly(_ other: some StringProtocol) -> Bool { utf8.elementsEqual(other.utf8) }
}

extension String {
    /// Returns whether the bytes are the same. Not generic, because other modules call it for every request.
    @inlinable
    package func isExactly(_ other: String) -> Bool { _isIdentical(to: other) || hasBytes(of: other) }

    @usableFromInline func hasBytes(of other: String) -> Bool {
        var (left, right) = (self, other)
        return left.withUTF8 { left in
            right.withUTF8 { right in
                guard left.count == right.count, let first = left.baseAddress, let second = right.baseAddress else {
                    return left.count == right.count
                }
                return memcmp(first, second, left.count) == 0
            }
        }
    }

    /// The text with only the ASCII letters in lower case. No other character becomes an ASCII letter, while
    /// `lowercased()` turns the Kelvin sign into `k`.
    package var lowercasedASCII: String {
        guard utf8.contains(where: { $0 &- 0x41 < 26 }) else { return self }
        return String(decoding: utf8.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    /// The text before the `*` that ends a pattern; nil for a name. The getter compares bytes, because the star can be
    /// part of a longer `Character`.
    package var patternPrefix: String? {
        utf8.last == UInt8(ascii: "*") ? String(decoding: utf8.dropLast(), as: UTF8.self) : nil
    }
}

extension String? {
    /// Returns whether both are nil, or the bytes are the same.
    @inlinable
    package func isExactly(_ other: String?) -> Bool {
        guard let self, let other else { return self == nil && other == nil }
        return self.isExactly(other)
    }
}
