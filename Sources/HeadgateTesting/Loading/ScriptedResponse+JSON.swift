internal import HeadgateCassettes
internal import HeadgatePrimitives

extension ScriptedResponse {
    init(from reader: inout ScriptReader) throws(ScriptError) {
        var response = ScriptedResponse()
        var body: String?
        var chunks: [ScriptedChunk]?
        var framing: Framing?
        try reader.object { (key, reader) throws(ScriptError) in
            switch key {
            case "status": response.status = try reader.integer(200...599)
            case "headers": response.headers = try HeaderLines(from: &reader)
            case "body": body = try reader.string()
            case "chunks":
                chunks = try reader.array { (reader) throws(ScriptError) in try ScriptedChunk(from: &reader) }
            case "framing": framing = try reader.word(Framing.allCases)
            case "split": response.split = try reader.integer(1...1_048_576)
            case "end": response.end = try reader.word(End.allCases)
            case "head_delay_ms": response.headDelay = try reader.milliseconds()
            case "raw_head": response.rawHead = Array(try reader.string().utf8)
            case "end_before_head": response.endBeforeHead = try reader.word([.reset, .cut, .stall])
            default: return false
            }
            return true
        }
        guard body == nil || chunks == nil else { throw reader.problem("has both body and chunks") }
        // The text of a whole body is literal: {i} is not replaced.
        response.chunks = chunks ?? body.map { [ScriptedChunk(bytes: Array($0.utf8))] } ?? []
        response.framing = framing ?? (chunks == nil ? .length : .chunked)
        if response.framing == .close, response.end == .cut {
            throw reader.problem("with framing close, the end cut is no different from clean")
        }
        let framingFields = ["Content-Length", "Transfer-Encoding"]
        if response.framing != .none, let name = framingFields.first(where: { response.headers.contains($0) }) {
            throw reader.problem("\(name) is written by framing; with framing none it is yours")
        }
        self = response
    }
}

extension ScriptedChunk {
    fileprivate init(from reader: inout ScriptReader) throws(ScriptError) {
        var text: String?
        var bytes: [UInt8]?
        var delay = Duration.zero
        var count = 1
        var onlyWithUsage = false
        try reader.object { (key, reader) throws(ScriptError) in
            switch key {
            case "text": text = try reader.string()
            case "base64":
                bytes = Base64.decode(try reader.string())
                if bytes == nil { throw reader.problem("is not base64") }
            case "delay_ms": delay = try reader.milliseconds()
            case "repeat": count = try reader.integer(1...1_000_000)
            case "if_include_usage": onlyWithUsage = try reader.bool()
            default: return false
            }
            return true
        }
        switch (text, bytes) {
        case (let text?, nil): self.init(text, delay: delay, repeat: count)
        case (nil, let bytes?): self.init(bytes: bytes, delay: delay, repeat: count)
        default: throw reader.problem("needs either text or base64")
        }
        self.onlyWithUsage = onlyWithUsage
    }
}
