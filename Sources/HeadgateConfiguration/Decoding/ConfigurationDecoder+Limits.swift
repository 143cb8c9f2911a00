extension ConfigurationDecoder {
    mutating func limits(_ entry: YAMLEntry?) -> LimitsConfiguration {
        guard let entry, !entry.value.isNull,
            let fields = fields(of: entry.value, known: ["body", "connections"], in: "limits")
        else { return LimitsConfiguration() }
        var limits = LimitsConfiguration()
        let body = fields["body"].flatMap { entry in
            decode(entry, as: ByteSize.expected) { (text) throws(InvalidValue) in try ByteSize.parse(text) }
        }
        if let body { limits.body = body }
        limits.connections = wholeNumber(fields["connections"], in: 1...1_000_000)
        return limits
    }
}
