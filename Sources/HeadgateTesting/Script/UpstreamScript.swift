// HeadgateTesting: an upstream that follows a script, and a client that shows the result. Scripts are data: the same
// script can be used in unit tests without sockets, in integration tests with sockets, and with curl. No code of this
// module is linked into the product.

/// The script of an upstream: its expectations and responses.
package struct UpstreamScript: Sendable {
    package var exchanges: [ScriptedExchange]
    /// Whether an exchange may serve any number of requests. Otherwise a request gets the first matching exchange that
    /// is unused.
    package var repeats: Bool
    /// The longest body that is read. A request with a longer body gets its response after its head, and the connection
    /// closes.
    package var longestReadBody = Int.max

    package init(_ exchanges: [ScriptedExchange], repeats: Bool = true) {
        self.exchanges = exchanges
        self.repeats = repeats
    }

    /// Creates a script with the same response to every request.
    package init(always response: ScriptedResponse) {
        self.init([ScriptedExchange(response: response)])
    }

    /// Creates a script that responds to the first request with the first response, and so on. A request after the last
    /// one gets a 500.
    package init(inOrder responses: [ScriptedResponse]) {
        self.init(responses.map { ScriptedExchange(response: $0) }, repeats: false)
    }

    /// Returns the name of an exchange in logs and errors.
    func label(_ index: Int) -> String { exchanges[index].name ?? "exchanges[\(index)]" }
}

/// One kind of request and the response to it.
package struct ScriptedExchange: Sendable {
    package var name: String?
    package var expect: RequestExpectation
    package var response: ScriptedResponse

    package init(_ name: String? = nil, expect: RequestExpectation = RequestExpectation(), response: ScriptedResponse) {
        self.name = name
        self.expect = expect
        self.response = response
    }
}

extension UpstreamScript {
    /// Returns the default script for people: a model list, and chat completions that respond word by word or whole.
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
