#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Writes values as JSON straight into bytes, the same that a `JSONEncoder` with sorted keys and unescaped slashes
/// writes, which builds a tree first and takes several times as long.
///
/// It knows what generated types are made of. Anything else is left to `JSONEncoder`, errors included.
final class JSONWriter: Encoder {
    private enum Shape {
        case nothing
        case scalar
        case list
        case object
    }

    /// A value that is being written.
    private struct Frame {
        var shape = Shape.nothing
        /// Where it begins.
        let start: Int
        /// Of its members, in ``members``.
        let firstMember: Int
        var count = 0
        var isSorted = true
    }

    /// A member of an object: where it lies in the output, its name and its value.
    private struct Member {
        let start: Int
        let nameEnd: Int
        var end: Int
    }

    private var output: [UInt8] = []
    /// From the outermost value to the innermost.
    private var frames: [Frame] = []
    private var members: [Member] = []
    /// Whether something came that only `JSONEncoder` knows how to write.
    private var isGivenUp = false

    /// Where in ``frames`` a container belongs that nothing can be written into.
    static let nowhere = -1

    private struct Unfamiliar: Error {}

    private init() { output.reserveCapacity(256) }

    /// Nil for a value that `JSONEncoder` has to write, or to refuse.
    static func bytes(of value: some Encodable) -> [UInt8]? {
        let writer = JSONWriter()
        do { try writer.write(value) } catch { return nil }
        return writer.isGivenUp ? nil : writer.output
    }

    // MARK: Encoder

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy _: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(Keyed<Key>(writer: self, level: open(.object, 0x7B)))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { Unkeyed(writer: self, level: open(.list, 0x5B)) }

    func singleValueContainer() -> any SingleValueEncodingContainer { Single(writer: self, level: frames.count - 1) }

    /// A container of a kind that generated types do not ask for.
    func giveUp() { isGivenUp = true }

    // MARK: Values

    /// Writes a value of any type, whole.
    func write<Value: Encodable>(_ value: Value) throws {
        // These have a form of their own in `JSONEncoder`.
        guard !(Value.self == Data.self || Value.self == URL.self || Value.self == Decimal.self) else {
            throw Unfamiliar()
        }
        frames.append(Frame(start: output.count, firstMember: members.count))
        try value.encode(to: self)
        close()
    }

    /// Opens the innermost value as a list or an object, unless that is what it is already.
    ///
    /// - Returns: where the container belongs.
    private func open(_ shape: Shape, _ bracket: UInt8) -> Int {
        let level = frames.count - 1
        guard level >= 0 else {
            isGivenUp = true
            return JSONWriter.nowhere
        }
        switch frames[level].shape {
        case .nothing:
            frames[level].shape = shape
            output.append(bracket)
        case shape: break
        default: isGivenUp = true
        }
        return level
    }

    private func close() {
        let frame = frames.removeLast()
        switch frame.shape {
        case .nothing: isGivenUp = true
        case .scalar: break
        case .list: output.append(0x5D)
        case .object:
            if !frame.isSorted { sort(frame) }
            members.removeLast(members.count - frame.firstMember)
            output.append(0x7D)
        }
    }

    // MARK: Parts of values

    /// Begins a scalar that is the innermost value.
    func beginScalar(at level: Int) throws {
        guard level == frames.count - 1, level >= 0, frames[level].shape == .nothing else { throw Unfamiliar() }
        frames[level].shape = .scalar
    }

    func elements(at level: Int) -> Int { frames.indices.contains(level) ? frames[level].count : 0 }

    func beginElement(at level: Int) throws {
        guard level == frames.count - 1, level >= 0, frames[level].shape == .list else { throw Unfamiliar() }
        if frames[level].count > 0 { output.append(0x2C) }
        frames[level].count += 1
    }

    func beginMember(_ name: String, at level: Int) throws {
        guard level == frames.count - 1, level >= 0, frames[level].shape == .object else { throw Unfamiliar() }
        if frames[level].count > 0 { output.append(0x2C) }
        let start = output.count
        append(name)
        // Others have an order, and perhaps an escape, that differs from that of their bytes.
        guard output.count == start + name.utf8.count + 2, name.utf8.allSatisfy({ $0 < 0x80 }) else {
            throw Unfamiliar()
        }
        if frames[level].count > 0, let last = members.last, !precedes(last, start..<output.count) {
            frames[level].isSorted = false
        }
        members.append(Member(start: start, nameEnd: output.count, end: 0))
        frames[level].count += 1
        output.append(0x3A)
    }

    func endMember() { members[members.count - 1].end = output.count }

    private func precedes(_ member: Member, _ name: Range<Int>) -> Bool {
        // Without the quotation marks, of which the second would come after a space.
        output[(member.start + 1)..<(member.nameEnd - 1)].lexicographicallyPrecedes(
            output[(name.lowerBound + 1)..<(name.upperBound - 1)])
    }

    /// Brings the members of an object in order; of those with one name the last counts.
    private func sort(_ frame: Frame) {
        let sorted = members[frame.firstMember...].enumerated().sorted { left, right in
            if precedes(left.element, right.element.start..<right.element.nameEnd) { return true }
            if precedes(right.element, left.element.start..<left.element.nameEnd) { return false }
            return left.offset < right.offset
        }
        var text: [UInt8] = []
        text.reserveCapacity(output.count - frame.start)
        for (index, entry) in sorted.enumerated() {
            let member = entry.element
            if index + 1 < sorted.count {
                let next = sorted[index + 1].element
                guard precedes(member, next.start..<next.nameEnd) else { continue }
            }
            text.append(text.isEmpty ? 0x7B : 0x2C)
            text += output[member.start..<member.end]
        }
        output.replaceSubrange(frame.start..., with: text)
    }

    // MARK: Text

    func append(literal text: StaticString) {
        output.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    func append(_ number: some FixedWidthInteger) { output.append(contentsOf: String(number).utf8) }

    /// - Throws: for what JSON cannot say.
    func append(_ number: some BinaryFloatingPoint & LosslessStringConvertible) throws {
        guard number.isFinite else { throw Unfamiliar() }
        let text = number.description
        output.append(contentsOf: text.hasSuffix(".0") ? text.dropLast(2).utf8 : text[...].utf8)
    }

    func append(_ text: String) {
        var text = text
        output.append(0x22)
        text.withUTF8 { bytes in
            if bytes.contains(where: JSONWriter.needsEscape) {
                for byte in bytes { escape(byte) }
            } else {
                output.append(contentsOf: bytes)
            }
        }
        output.append(0x22)
    }

    private static func needsEscape(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x22 || byte == 0x5C }

    private func escape(_ byte: UInt8) {
        switch byte {
        case 0x22, 0x5C: output += [0x5C, byte]
        case 0x08: output += [0x5C, 0x62]
        case 0x09: output += [0x5C, 0x74]
        case 0x0A: output += [0x5C, 0x6E]
        case 0x0C: output += [0x5C, 0x66]
        case 0x0D: output += [0x5C, 0x72]
        case 0..<0x20:
            append(literal: #"\u00"#)
            output += [0x30 + byte >> 4, byte & 15 < 10 ? 0x30 + byte & 15 : 0x57 + byte & 15]
        default: output.append(byte)
        }
    }
}
