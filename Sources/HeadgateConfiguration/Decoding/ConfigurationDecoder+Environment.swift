extension ConfigurationDecoder {
    /// The upstream when no file names one: OpenAI's protocol with what its own libraries read from the environment,
    /// else the built-in model.
    mutating func environmentUpstream() -> UpstreamConfiguration {
        guard environment["OPENAI_API_KEY"] != nil || environment["OPENAI_BASE_URL"] != nil else {
            return UpstreamConfiguration(name: UpstreamKind.onDevice.rawValue, kind: .onDevice)
        }
        let key = variable("OPENAI_API_KEY") { (text) throws(InvalidValue) in try Secret.parse(text) }
        let url = variable("OPENAI_BASE_URL") { (text) throws(InvalidValue) in try UpstreamURL(parsing: text) }
        return UpstreamConfiguration(
            name: UpstreamKind.openai.rawValue, kind: .openai, baseURL: url ?? .openAI, apiKey: key)
    }
}
