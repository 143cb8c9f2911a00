extension ConfigurationDecoder {
    /// Reads the hedging of a model; nil if no attempt is hedged, which is the default.
    mutating func hedge(
        of model: Fields, over targets: [DecodedTarget], _ retry: RetryConfiguration
    ) -> HedgeConfiguration? {
        guard let entry = model["hedge"] else {
            if targets.count > 1 { recordStandard("hedge", of: model) }
            return nil
        }
        let fields = section("hedge", of: model, as: .hedge)
        let after = value("after", of: fields, as: HedgeConfiguration.Delay.expected) { (text) throws(InvalidValue) in
            try HedgeConfiguration.Delay(parsing: text)
        }
        if case .mapping = entry.value.content, fields.lacks("after") {
            issues.add("hedge has no after: add one such as after: p95", at: entry.keyPosition)
        }
        if targets.count == 1 {
            warnings.add(
                "hedge: with one target there is no other to ask: add another one, or remove it",
                at: entry.keyPosition)
        } else if retry.attempts == 1 {
            warnings.add(
                "hedge: attempts: 1 leaves no second one: write at least 2, or remove it", at: entry.keyPosition)
        }
        return after.map(HedgeConfiguration.init)
    }
}
