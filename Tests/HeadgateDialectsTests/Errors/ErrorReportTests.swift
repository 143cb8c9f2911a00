import Testing

@testable import HeadgateDialects

@Suite("An error of an upstream")
struct ErrorReportTests {
    private func report(_ document: String) -> ErrorReport? {
        Array(document.utf8).withUnsafeBytes { ErrorReport(in: $0) }
    }

    @Test(
        "is recognized without the member error too",
        arguments: [
            #"{"error":{"message":"W"}}"#, #"{"error":"W"}"#, #"[{"error":{"message":"W"}}]"#,
            #"{"object":"error","message":"W","type":"BadRequestError","param":null,"code":400}"#,
            #"{"detail":"W"}"#, #"{"detail":{"message":"W"}}"#, #"{"message":"W"}"#, #"{"msg":"W"}"#,
            #"{"code":1302,"message":"W","success":false}"#, #"{"code":"InvalidParameter","message":"W","id":"1"}"#,
            #"{"type":"error","message":"W"}"#, #"{"type":"rate_limit_error","message":"W"}"#,
            #"{"errors":[{"code":7003,"message":"W"}],"messages":[],"result":null,"success":false}"#,
            #"{"status":"error","message":"W"}"#, #"{"status":503,"message":"W","data":{"request":"1"}}"#,
            #"{"choices":null,"usage":{"total_tokens":0},"base_resp":{"status_code":1004,"status_msg":"W"}}"#,
            #"{"type":"https://example.com/p","title":"W","status":403}"#, #"{"error":true,"message":"W"}"#,
            #"{"status":400,"message":"W"}"#, #"{"status":599,"message":"W"}"#, #"{"code":199,"message":"W","id":"1"}"#,
            #"{"code":300,"message":"W","id":"1"}"#, #"{"code":"300","message":"W","id":"1"}"#,
            #"{"type":"SomeException","message":"W","id":"1"}"#, #"{"error_msg":"W","id":"1"}"#,
        ])
    func recognized(_ document: String) { #expect(report(document)?.message == "W") }

    @Test(
        "is not a response, nor an event of one",
        arguments: [
            #"{"status":399,"message":"x"}"#, #"{"status":600,"message":"x"}"#, #"{"code":299,"message":"x"}"#,
            #"{"code":"OK","message":"x"}"#, #"{"code":"","message":"x"}"#, #"{"status":"done","message":"x"}"#,
            #"{"message":"x","model":"m"}"#, #"{"message":"","msg":null}"#, #"{"type":"x","title":"y"}"#,
            #"{"choices":[{"delta":{"content":"a"}}],"detail":"x","message":"y","success":false,"code":5}"#,
            #"{"choices":[],"prompt_filter_results":[{"detail":"x"}],"object":""}"#,
            #"{"data":[{"embedding":[1]}],"message":"x","code":500}"#, #"{"results":[1],"detail":"x"}"#,
            #"{"input_tokens":5,"detail":"x"}"#, #"{"text":"hi","message":"x"}"#, #"{"usage":{"a":1},"message":"x"}"#,
            #"{"type":"message_start","message":{"role":"assistant","content":[]}}"#, #"{"type":"ping","message":"x"}"#,
            #"{"code":0,"message":"success"}"#, #"{"code":200,"msg":"x","id":"1"}"#, #"{"error":null,"id":"1"}"#,
            #"{"status":"in_progress","message":"x"}"#, #"{"base_resp":{"status_code":0,"status_msg":"success"}}"#,
            #"{"id":"1","object":"chat.completion.chunk","message":"x"}"#, #"{"title":"x"}"#, "{}", "[]", "5", "{",
        ])
    func responses(_ document: String) { #expect(report(document) == nil) }

    @Test(
        "keeps its message in every shape",
        arguments: [
            (
                #"{"detail":[{"type":"missing","loc":["body","messages",0],"msg":"required","input":{"a":"b"}}]}"#,
                "body.messages.0: required", nil
            ),
            (#"{"error":{"message":{"role":["is missing","is empty"]}}}"#, "role: is missing; is empty", nil),
            (#"{"error":{"message":[{"msg":"a"},{"message":"b"}],"code":5}}"#, "a; b", "5"),
            (#"{"errors":{"model":["is unknown"]},"title":"Not valid"}"#, "Not valid: model: is unknown", nil),
            (#"{"title":"No credit","detail":"Pay first","status":403}"#, "No credit: Pay first", nil),
            (#"{"error":"invalid_client","error_description":"Who?"}"#, "Who?", "invalid_client"),
            (
                #"{"status":500,"error":"Internal Server Error","message":"no bean"}"#,
                "Internal Server Error: no bean", nil
            ),
            (#"{"error":{"error":{"message":"inner","type":"t"}}}"#, "inner", nil),
            (
                #"{"error":{"message":"Provider returned error","metadata":"#
                    + #"{"raw":"{\"error\":{\"message\":\"too long\"}}"}}}"#,
                "Provider returned error: too long", nil
            ),
            (#"{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","message":"m","details":[{"x":"y"}]}}"#, "m", "429"),
            (
                #"{"type":"response.failed","response":{"error":null},"error":{"code":"c","message":"beside"}}"#,
                "beside", "c"
            ),
            (#"{"type":"response.failed","response":{"error":{"code":"c","message":"within"}}}"#, "within", "c"),
            (#"{"type":"response.failed","response":{"status":"failed"},"message":"top","code":"c"}"#, "top", "c"),
            (#"{"choices":[{"error":{"code":502,"message":"cut"},"finish_reason":"error"}]}"#, "cut", "502"),
            (#""just text""#, "just text", nil), (#"["a",{"message":"b"}]"#, "a; b", nil),
            (#"{"error":{"type":"x"}}"#, "", nil), (#"{"error":{"message":[["a",5],"b"]}}"#, "a; b", nil),
            (#"{"error":{"message":[[["too deep"]]]}}"#, "", nil), (#"{"error":{"message":[[7]]}}"#, "", nil),
            (#"{"error":{"message":5}}"#, "5", nil),
        ] as [(String, String, String?)])
    func words(_ document: String, _ message: String, _ code: String?) throws {
        let report = ErrorReport(of: try JSONValue(Array(document.utf8)))
        #expect(report.message == message && report.code == code)
    }

    @Test("is read within bounds, however deep or long it is")
    func bounds() throws {
        let deep = String(repeating: #"{"message":"#, count: 60) + #""x""# + String(repeating: "}", count: 60)
        #expect(ErrorReport(of: try JSONValue(Array(deep.utf8))).message.isEmpty)
        let list = #"{"errors":["# + [String](repeating: #"{"msg":"a"}"#, count: 500).joined(separator: ",") + "]}"
        #expect(ErrorReport(of: try JSONValue(Array(list.utf8))).message.utf8.count < 64)
    }

    @Test(
        "is a text of any kind",
        arguments: [
            (" upstream\r\n\tconnect error ", "upstream connect error"), ("\u{FEFF}text", "text"),
            ("<html><head><title>\n502 Bad Gateway\n</title></head><body><h1>x</h1></body></html>", "502 Bad Gateway"),
            ("<!doctype html><body><h1 class=a>Blocked &lt;1&gt; &#8211; &nope;</h1>", "Blocked <1> – &nope;"),
            (#"<?xml version="1.0"?><s:Envelope><s:Fault><faultstring xml:lang="en">W</faultstring>"#, "W"),
            ("<Error><Code>NoSuchKey</Code><Message><![CDATA[a & b]]></Message></Error>", "a & b"),
            ("", nil), (" \n", nil), ("<html><body>no title</body></html>", nil), ("<Error/>", nil), ("<title", nil),
            ("\u{7F}", nil), ("a\u{8}b", nil), ("a\u{9}\u{D}b", "a b"), ("a\u{E}b", nil),
            ("<error><detail/><description>&amp;&quot;&apos;&nbsp;&gt;</description></error>", "&\"' >"),
            ("<e><message/><message>W</message></e>", "W"), ("<h1>no page</h1>", nil), ("\u{89}PNG\u{0}\u{1}", nil),
            ("<title>cut", nil), ("<x>&#x110000;</x>", nil),
            ("<title>&#x+41;&#+65;</title>", "&#x+41;&#+65;"),
        ] as [(String, String?)])
    func text(_ body: String, _ words: String?) {
        #expect(Array(body.utf8).withUnsafeBytes(ErrorText.words) == words)
    }
}
