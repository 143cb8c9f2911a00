extension ConfigurationDecoder {
    mutating func limits(in fields: Fields) -> LimitsConfiguration {
        let fields = section("limits", of: fields, as: .limits)
        var limits = LimitsConfiguration()
        let body = value("body", of: fields, as: ByteSize.expected) { (text) throws(InvalidValue) in
            try ByteSize.parse(text)
        }
        if let body { limits.body = body }
        limits.connections = wholeNumber("connections", of: fields, in: 1...1_000_000)
        let perAddress = wholeNumber("connections_per_address", of: fields, in: 1...1_000_000)
        if let perAddress { limits.connectionsPerAddress = perAddress }
        if let drain = duration("drain", of: fields) { limits.drain = drain }
        return limits
    }
}
