extension ConfigurationDecoder {
    /// Reads the alerts; nil if nothing is reported.
    mutating func alerts(in file: Fields) -> AlertsConfiguration? {
        guard let entry = file["alerts"],
            let fields = fields(of: entry.value, as: .alerts, at: file.path.key("alerts"), in: "alerts")
        else { return nil }
        var alerts = AlertsConfiguration()
        if let command = fields["command"] {
            alerts.command = arguments(command.value, at: fields.path.key("command")) ?? []
        }
        alerts.url = alertURL(in: fields)
        if let timeout = duration("timeout", of: fields) { alerts.timeout = timeout }
        if fields["command"] == nil, fields["url"] == nil, fields.lacks("command"), fields.lacks("url") {
            issues.add(
                "alerts has neither command nor url: add command: [program, argument], or url: https://...",
                at: entry.keyPosition)
        }
        return alerts
    }

    /// Reads the URL as a secret, because the path of a webhook is often its only protection.
    private mutating func alertURL(in fields: Fields) -> UpstreamURL? {
        guard let entry = fields["url"] else {
            recordStandard("url", of: fields)
            return nil
        }
        let url = secret(
            entry.value, in: "url", as: "a URL such as https://hooks.example.com/T0/B0", at: fields.path.key("url")
        ) { (text) throws(InvalidValue) in
            try UpstreamURL(parsing: text, allowingPlainHTTP: true)
        }
        if let url, url.scheme == .http, !url.isLoopback {
            warnings.add(
                "alerts: they travel to \(url.host) in the clear: write https:// if it has TLS",
                at: entry.value.position)
        }
        return url
    }
}
