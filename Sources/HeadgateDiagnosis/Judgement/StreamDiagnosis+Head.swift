extension StreamDiagnosis {
    var contentType: Finding {
        let type = stream.fields["content-type"]
        guard let type else {
            return Finding(
                .contentType, .failed, "none",
                advice: "Let the proxy pass the gateway's Content-Type on: text/event-stream.")
        }
        let essence = type.lowercased().prefix { $0 != ";" && $0 != " " }
        guard essence == "text/event-stream" else {
            return Finding(
                .contentType, .failed, type,
                advice: "Something answers in the gateway's place, or changes its head: it sends text/event-stream.")
        }
        return Finding(.contentType, .ok, type)
    }

    var caching: Finding {
        guard let value = stream.fields["cache-control"] else {
            return Finding(
                .caching, .warning, "no Cache-Control",
                advice: "Let the proxy pass Cache-Control on: the gateway sends 'no-cache, no-transform'.")
        }
        let words = stream.fields.words("cache-control")
        guard words.contains("no-cache") || words.contains("no-store") else {
            return Finding(
                .caching, .warning, value, advice: "Turn caching off for the gateway's paths in the proxy.")
        }
        guard words.contains("no-transform") else {
            return Finding(
                .caching, .warning, value,
                advice: "Let the proxy pass Cache-Control on as it is: 'no-transform' keeps others from compressing it."
            )
        }
        return Finding(.caching, .ok, value)
    }

    var framing: Finding {
        switch stream.framing {
        case .chunked: Finding(.framing, .ok, "chunked")
        case .length(let length):
            Finding(
                .framing, .failed, "Content-Length: \(length)",
                advice: "Something collects the whole answer before it sends any of it: turn its buffering off "
                    + "(nginx: proxy_buffering off).")
        case .connection:
            Finding(
                .framing, .warning, "the end of the connection ends the answer",
                advice: "Let the proxy speak HTTP/1.1 on both sides (nginx: proxy_http_version 1.1).")
        }
    }

    /// The finding about compression. The request offers gzip, as every SDK and browser does.
    var compression: Finding {
        let codings = stream.fields.words("content-encoding").filter { $0 != "identity" }
        guard let coding = codings.first else {
            return Finding(.compression, .ok, "no Content-Encoding, although gzip was offered")
        }
        return Finding(
            .compression, .warning, "Content-Encoding: \(coding)",
            advice:
                "Leave text/event-stream out of what is compressed (nginx: gzip_types without it; Caddy: encode with a "
                + "matcher).")
    }
}
