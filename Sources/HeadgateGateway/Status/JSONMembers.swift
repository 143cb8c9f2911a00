internal import JSONBytes

/// The members of an object that is being written, in their order. Absent texts and numbers are left out.
struct JSONMembers {
    private var bytes: [UInt8] = []

    var object: [UInt8] { [0x7B] + bytes + [0x7D] }

    mutating func append(_ name: StaticString, _ value: String?) {
        guard let value else { return }
        begin(name)
        JSONEscaping.append(value, to: &bytes)
    }

    mutating func append(_ name: StaticString, _ value: Int?) {
        guard let value else { return }
        append(name, plain: "\(value)")
    }

    /// Nil is written, as null.
    mutating func append(_ name: StaticString, _ value: Bool?) {
        append(name, plain: value.map { $0 ? "true" : "false" } ?? "null")
    }

    /// - Parameter nanoseconds: since 1970.
    mutating func append(_ name: StaticString, time nanoseconds: Int64) {
        begin(name)
        bytes.append(0x22)
        Timestamp.append(nanoseconds, to: &bytes)
        bytes.append(0x22)
    }

    /// With up to two decimals.
    mutating func append(_ name: StaticString, milliseconds seconds: Double?) {
        guard let seconds else { return }
        append(name, plain: "\((min(seconds, 1e9) * 100_000).rounded() / 100)")
    }

    mutating func append(_ name: StaticString, members: JSONMembers) {
        begin(name)
        bytes += members.object
    }

    mutating func append(_ name: StaticString, list: [JSONMembers]) {
        begin(name)
        bytes.append(0x5B)
        for (index, members) in list.enumerated() {
            if index > 0 { bytes.append(0x2C) }
            bytes += members.object
        }
        bytes.append(0x5D)
    }

    private mutating func append(_ name: StaticString, plain text: String) {
        begin(name)
        bytes += text.utf8
    }

    private mutating func begin(_ name: StaticString) {
        bytes += bytes.isEmpty ? [0x22] : [0x2C, 0x22]
        bytes += UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        bytes += [0x22, 0x3A]
    }
}
