@testable import HeadgateDiagnosis

/// Headers of a gateway's own streams.
let gatewayFields: ResponseFields = [
    "Content-Type": "text/event-stream; charset=utf-8", "Cache-Control": "no-cache, no-transform",
    "X-Accel-Buffering": "no",
]

func chunk(_ text: String) -> String {
    #"data: {"choices":[{"index":0,"delta":{"content":"\#(text)"},"finish_reason":null}]}"# + "\n\n"
}

let opening =
    #"data: {"choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}"# + "\n\n"
let closing = #"data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"# + "\n\n"
let usage = #"data: {"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2}}"# + "\n\n"
let done = "data: [DONE]\n\n"

/// Returns a stream of pieces that arrived at these milliseconds.
func stream(
    _ pieces: [(at: UInt64, bytes: [UInt8])], fields: ResponseFields = gatewayFields,
    framing: StreamObservation.Framing = .chunked, status: Int = 200, end: StreamObservation.End = .complete
) -> StreamObservation {
    StreamObservation(
        status: status, fields: fields, framing: framing, headAt: 1_000_000,
        pieces: pieces.map { .init(at: $0.at * 1_000_000, bytes: $0.bytes) },
        endAt: (pieces.last?.at ?? 1) * 1_000_000, end: end)
}

/// Returns one piece for each text, `gap` milliseconds apart.
func paced(_ texts: [String], every gap: UInt64 = 20, after start: UInt64 = 20) -> StreamObservation {
    stream(texts.enumerated().map { (start + UInt64($0.offset) * gap, Array($0.element.utf8)) })
}

/// Events of a correct stream of a gateway.
let wholeTexts = [opening] + (1...12).map { chunk("wörd \($0)") } + [closing, usage, done]

extension [Finding] {
    subscript(check: Check) -> Finding? { first { $0.check == check } }
    var troubled: [Check] { filter { $0.verdict != .ok }.map(\.check) }
}
