extension UpstreamScript {
    /// Reads a script from the content of a file. Unknown keys are rejected; all keys except `exchanges` and `response`
    /// may be left out.
    ///
    ///     {"repeat": true, "exchanges": [{
    ///       "name": "chat",
    ///       "expect": {"method": "POST", "path": "/v1/chat/completions", "headers": {"authorization": "Bearer key"},
    ///                  "absent_headers": ["x-api-key"], "body_contains": ["hi"], "stream": true},
    ///       "response": {"status": 200, "headers": {"Content-Type": "text/event-stream"}, "head_delay_ms": 0,
    ///                 "chunks": [{"text": "data: {i}\n\n", "delay_ms": 5, "repeat": 3}, {"base64": "aGk="},
    ///                            {"text": "...", "if_include_usage": true}],
    ///                 "framing": "chunked", "split": 7, "end": "clean"}}]}
    ///
    /// A number `longest_read_body` is allowed next to `repeat`. A response can have a `body` instead of `chunks`,
    /// `raw_head` instead of status and headers, or only `end_before_head`. The values of `framing` and `end` are
    /// explained at ``ScriptedResponse``.
    package init(json: [UInt8]) throws(ScriptError) {
        let result = json.withUnsafeBytes { bytes in
            Result { () throws(ScriptError) in
                var reader = ScriptReader(bytes)
                let script = try UpstreamScript(from: &reader)
                try reader.finish()
                return script
            }
        }
        self = try result.get()
    }

    private init(from reader: inout ScriptReader) throws(ScriptError) {
        var exchanges: [ScriptedExchange]?
        var repeats = true
        var longestReadBody = Int.max
        try reader.object { (key, reader) throws(ScriptError) in
            switch key {
            case "exchanges":
                exchanges = try reader.array { (reader) throws(ScriptError) in try ScriptedExchange(from: &reader) }
            case "repeat": repeats = try reader.bool()
            case "longest_read_body": longestReadBody = try reader.integer(0...Int.max)
            default: return false
            }
            return true
        }
        guard let exchanges, !exchanges.isEmpty else { throw reader.problem("needs at least one of exchanges") }
        self.init(exchanges, repeats: repeats)
        self.longestReadBody = longestReadBody
    }
}

extension ScriptedExchange {
    fileprivate init(from reader: inout ScriptReader) throws(ScriptError) {
        var name: String?
        var expect = RequestExpectation()
        var response: ScriptedResponse?
        try reader.object { (key, reader) throws(ScriptError) in
            switch key {
            case "name": name = try reader.string()
            case "expect": expect = try RequestExpectation(from: &reader)
            case "response": response = try ScriptedResponse(from: &reader)
            default: return false
            }
            return true
        }
        guard let response else { throw reader.problem("needs a response") }
        self.init(name, expect: expect, response: response)
    }
}

extension RequestExpectation {
    fileprivate init(from reader: inout ScriptReader) throws(ScriptError) {
        self.init()
        var expect = RequestExpectation()
        try reader.object { (key, reader) throws(ScriptError) in
            switch key {
            case "method": expect.method = try reader.string()
            case "path": expect.path = try reader.string()
            case "headers": expect.headers = try HeaderLines(from: &reader)
            case "absent_headers": expect.absentHeaders = try reader.strings()
            case "body_contains": expect.bodyContains = try reader.strings()
            case "stream": expect.isStream = try reader.bool()
            default: return false
            }
            return true
        }
        self = expect
    }
}

extension ScriptReader {
    fileprivate mutating func strings() throws(ScriptError) -> [String] {
        try array { (reader) throws(ScriptError) in try reader.string() }
    }
}

extension HeaderLines {
    /// Reads headers, whose values are strings. Values that are invalid in a header need `raw_head`.
    init(from reader: inout ScriptReader) throws(ScriptError) {
        var lines = HeaderLines()
        try reader.object { (name, reader) throws(ScriptError) in
            let value = try reader.string()
            guard !name.isEmpty, name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x3A }) else {
                throw reader.problem("is not a header name; broken heads are for raw_head")
            }
            guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
                throw reader.problem("holds a control character; broken heads are for raw_head")
            }
            lines.append(name, value)
            return true
        }
        self = lines
    }
}
