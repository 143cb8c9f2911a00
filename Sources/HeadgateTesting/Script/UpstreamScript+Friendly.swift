extension UpstreamScript {
    /// What a person gets who brings no script: a model list, and chat completions that answer word by word or whole.
    package static func friendly(delay: Duration = .milliseconds(60)) -> UpstreamScript {
        let text = "Hello from the scripted upstream: every word is one event."
        let words = text.split(separator: " ").enumerated().map { ($0.offset == 0 ? "" : " ") + $0.element }
        let chat = "/v1/chat/completions"
        let model = #"{"id":"scripted","object":"model","created":1700000000,"owned_by":"headgate"}"#
        return UpstreamScript([
            ScriptedExchange(
                "chat stream", expect: RequestExpectation(method: "POST", path: chat, isStream: true),
                response: .chatStream(words: words, delay: delay)),
            ScriptedExchange(
                "chat", expect: RequestExpectation(method: "POST", path: chat), response: .chatCompletion(text)),
            ScriptedExchange(
                "models", expect: RequestExpectation(method: "GET", path: "/v1/models"),
                response: .json(#"{"object":"list","data":[\#(model)]}"#)),
        ])
    }
}
