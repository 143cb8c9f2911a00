extension ConfigurationDecoder {
    mutating func limits(in fields: Fields) -> LimitsConfiguration {
        let fields = section("limits", of: fields, as: .limits)
        var limits = LimitsConfiguration()
        let body = value("body", of: fields, as: ByteSize.expected) { (text) throws(InvalidValue) in
            try ByteSize.parse(text)
        }
        if let body { limits.body = body }
        let expected = "a size such as 512KiB or 16MiB (from 128KiB to 1GiB)"
        let event = value("event", of: fields, as: expected) { (text) throws(InvalidValue) in
            // Less would cut what is no image, and not spare memory that counts.
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
}
