/// Bytes that never appear in a description, mirror or interpolation. They leave only through ``reveal()``, so that
/// searching for it finds every use.
package final class Secret: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    private let bytes: [UInt8]

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    package convenience init(_ text: String) {
        self.init(Array(text.utf8))
    }

    /// Returns the text, only for use in a request.
    package func reveal() -> String {
        String(decoding: bytes, as: UTF8.self)
    }

    /// Compares in a time that depends only on the length of the left side.
    package static func == (left: Secret, right: Secret) -> Bool {
        var difference = UInt(bitPattern: left.bytes.count ^ right.bytes.count)
        for (index, byte) in left.bytes.enumerated() {
            difference |= UInt(byte ^ (index < right.bytes.count ? right.bytes[index] : 0))
        }
        return difference == 0
    }

    package var description: String { "<redacted>" }
    package var debugDescription: String { "<redacted>" }
    package var customMirror: Mirror { Mirror(self, unlabeledChildren: ["<redacted>"]) }

    /// Parses a key for use in a header: visible ASCII only, at most 8 KiB.
    static func parse(_ text: String) throws(InvalidValue) -> Secret {
        guard !text.isEmpty else { throw InvalidValue("the key is empty: set it, or remove it") }
        guard text.utf8.count <= 8 << 10, text.utf8.allSatisfy(ASCII.isVisible) else {
            throw InvalidValue(
                "the key holds a space, a line break or another character that no key has, or is above 8 KiB: "
                    + "copy it again")
        }
        return Secret(text)
    }
}
