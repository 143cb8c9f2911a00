extension ConfigurationDecoder {
    /// Where limits and budgets are counted. There may be a password in it.
    mutating func counters(in fields: Fields) -> CountersConfiguration {
        let counters = value("counters", of: fields, as: CountersConfiguration.expected, echo: .nothing) {
            (text) throws(InvalidValue) in try CountersConfiguration.parse(text)
        }
        let path = fields.path.key("counters")
        switch counters {
        case .memory? where fields["counters"] != nil: settings?.show("memory", at: path)
        case .redis(let location)?:
            settings?.show(location.description, at: path)
            if location.showsPassword {
                warnings.add(
                    "counters: the password travels to the server in the clear: write rediss:// if it has TLS",
                    at: fields["counters"]?.value.position)
            }
        default: break
        }
        return counters ?? .memory
    }
}
