extension ConfigurationDecoder {
    /// Under which names the gateway may be called, and by which pages.
    mutating func origins(in fields: Fields) -> OriginRules {
        let hosts = values(
            "allowed_hosts", of: fields, list: "hosts such as gateway.lan or \"gateway.lan:*\"",
            each: AllowedHost.expected
        ) { (text) throws(InvalidValue) in try AllowedHost(parsing: text) }
        let origins = values(
            "allowed_origins", of: fields, list: "origins such as https://chat.example.com", each: Origin.expected
        ) { (text) throws(InvalidValue) in try Origin(parsing: text).text }
        let publicURL = value("public_url", of: fields, as: "a URL such as https://llm.example.com") {
            (text) throws(InvalidValue) in
            let origin = try Origin(parsing: text)
            guard ["http", "https"].contains(origin.scheme) else {
                throw InvalidValue("expected a URL such as https://llm.example.com")
            }
            return PublicURL(scheme: origin.scheme, authority: origin.authority)
        }
        return OriginRules(allowedHosts: hosts ?? [], allowedOrigins: origins ?? [], publicURL: publicURL)
    }
}
