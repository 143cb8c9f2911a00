internal import JSONBytes

/// Writes the members of an object, with nested objects in the same buffer. Absent texts and numbers are left out.
package struct JSONMembers {
    private var bytes: [UInt8] = [0x7B]

    /// Creates an empty object.
    ///
    /// - Parameter room: The estimated size in bytes.
    package init(room: Int) { bytes.reserveCapacity(room) }

    /// Returns the finished object.
    package consuming func end() -> [UInt8] {
        bytes.append(0x7D)
        return bytes
    }

    package mutating func append(_ name: StaticString, _ value: String?) {
        guard let value else { return }
        begin(name)
        JSONEscaping.append(value, to: &bytes)
    }

    package mutating func append(_ name: StaticString, _ value: Int?) {
        guard let value else { return }
        append(name, plain: "\(value)")
    }

    /// Appends a Bool, or null for nil.
    package mutating func append(_ name: StaticString, _ value: Bool?) {
        append(name, plain: value.map { $0 ? "true" : "false" } ?? "null")
    }

    /// Appends a time as text.
    ///
    /// - Parameter nanoseconds: The time in nanoseconds since 1970.
    package mutating func append(_ name: StaticString, time nanoseconds: Int64) {
        begin(name)
        bytes.append(0x22)
        Timestamp.append(nanoseconds, to: &bytes)
        bytes.append(0x22)
    }

    /// Appends milliseconds with two decimals. This uses integer arithmetic, because formatting a Double takes five
    /// times as long.
    package mutating func append(_ name: StaticString, milliseconds seconds: Double?) {
        guard let seconds else { return }
        let (whole, rest) = Int((max(0, min(seconds, 1e9)) * 100_000).rounded()).quotientAndRemainder(dividingBy: 100)
        append(name, plain: "\(whole)")
        bytes.append(0x2E)
        bytes.append(0x30 + UInt8(rest / 10))
        bytes.append(0x30 + UInt8(rest % 10))
    }

    /// Appends milliseconds without decimals.
    package mutating func append(_ name: StaticString, milliseconds duration: Duration?) {
        append(name, duration.map { Int(clamping: $0.wholeNanoseconds / 1_000_000) })
    }

    /// Appends a value that is already JSON.
    ///
    /// - Parameter json: The value.
    package mutating func append(_ name: StaticString, json: [UInt8]?) {
        guard let json else { return }
        begin(name)
        bytes += json
    }

    package mutating func append(_ name: StaticString, texts: [String]) {
        begin(name)
        bytes.append(0x5B)
        for (index, text) in texts.enumerated() {
            if index > 0 { bytes.append(0x2C) }
            JSONEscaping.append(text, to: &bytes)
        }
        bytes.append(0x5D)
    }

    package mutating func append(_ name: StaticString, members write: (inout JSONMembers) -> Void) {
        begin(name)
        appendObject(write)
    }

    package mutating func append<List: Sequence>(
        _ name: StaticString, list: List, members write: (inout JSONMembers, List.Element) -> Void
    ) {
        begin(name)
        bytes.append(0x5B)
        for element in list {
            if bytes.last == 0x7D { bytes.append(0x2C) }
            appendObject { write(&$0, element) }
        }
        bytes.append(0x5D)
    }

    private mutating func appendObject(_ write: (inout JSONMembers) -> Void) {
        bytes.append(0x7B)
        write(&self)
        bytes.append(0x7D)
    }

    private mutating func append(_ name: StaticString, plain text: String) {
        begin(name)
        bytes.append(contentsOf: text.utf8)
    }

    private mutating func begin(_ name: StaticString) {
        if bytes.last != 0x7B { bytes.append(0x2C) }
        bytes.append(0x22)
        bytes.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        bytes.append(0x22)
        bytes.append(0x3A)
    }
}
