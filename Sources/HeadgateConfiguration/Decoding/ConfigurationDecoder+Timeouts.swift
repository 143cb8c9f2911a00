extension ConfigurationDecoder {
    /// What a file leaves out is inherited, or else the default.
    mutating func timeouts(
        in fields: Fields, over inherited: (timeouts: UpstreamTimeouts, path: SettingPath)? = nil
    ) -> UpstreamTimeouts {
        var timeouts = inherited?.timeouts ?? UpstreamTimeouts()
        var fields = section("timeouts", of: fields, as: .timeouts)
        fields.inherited = inherited?.path.key("timeouts")
        if let connect = duration("connect", of: fields) { timeouts.connect = connect }
        if let firstByte = duration("first_byte", of: fields) { timeouts.firstByte = firstByte }
        if let silence = duration("silence", of: fields) { timeouts.silence = silence }
        return timeouts
    }
}
