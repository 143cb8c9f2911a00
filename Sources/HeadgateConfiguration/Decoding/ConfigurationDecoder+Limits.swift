extension ConfigurationDecoder {
    mutating func limits(in fields: Fields) -> LimitsConfiguration {
        let fields = section("limits", of: fields, as: .limits)
        var limits = LimitsConfiguration()
        if let body = size("body", of: fields) { limits.body = body }
        if let memory = size("body_memory", of: fields) { limits.bodyMemory = memory }
        if limits.bodyMemory < limits.body {
            if let entry = fields["body_memory"] {
                issues.add(
                    "body_memory: less than 'body': no request body of that size could be read; make it larger",
                    at: entry.value.position)
            }
            limits.bodyMemory = limits.body
        }
        let expected = "a size such as 512KiB or 16MiB (from 128KiB to 1GiB)"
        let event = value("event", of: fields, as: expected) { (text) throws(InvalidValue) in
            // A lower limit would cut ordinary events without saving relevant memory.
            guard let size = try? ByteSize.parse(text), (128 << 10...1 << 30).contains(size) else {
                throw InvalidValue("expected \(expected)")
            }
            return size
        }
        if let event { limits.event = event }
        limits.connections = wholeNumber("connections", of: fields, in: 1...1_000_000)
        let perAddress = wholeNumber("connections_per_address", of: fields, in: 1...1_000_000)
        if let perAddress { limits.connectionsPerAddress = perAddress }
        if let drain = duration("drain", of: fields) { limits.drain = drain }
        return limits
    }

    private mutating func size(_ key: String, of fields: Fields) -> Int? {
        value(key, of: fields, as: ByteSize.expected) { (text) throws(InvalidValue) in try ByteSize.parse(text) }
    }
}
