import Foundation
import HTTPTypes
import HeadgateHTTP
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct OpenAIErrorEnvelopeTests {
    private func text(_ error: GatewayError) -> String {
        String(decoding: OpenAIErrorEnvelope.body(error), as: UTF8.self)
    }

    @Test func absentMembersAreNull() {
        let error = GatewayError(400, type: "t", message: "m", cause: .invalidRequest)
        #expect(text(error) == #"{"error":{"message":"m","type":"t","param":null,"code":null}}"#)
    }

    @Test func everythingIsEscaped() throws {
        let nasty = "\"\\ \n\r\u{0}\u{1F}\u{2028}é😀</script>"
        let error = GatewayError(
            400, type: nasty, code: nasty, parameter: nasty, message: nasty, cause: .errorInSuccess)
        let body = OpenAIErrorEnvelope.body(error)
        #expect(body.allSatisfy { $0 >= 0x20 })
        let object = try #require(JSONSerialization.jsonObject(with: Data(body)) as? [String: [String: String]])
        #expect(object["error"] == ["message": nasty, "type": nasty, "param": nasty, "code": nasty])
    }

    @Test func eventIsOneLine() {
        var output = Array("before".utf8)
        let error = GatewayError(502, type: "t", code: "c", message: "line\nbreak", cause: .errorInSuccess)
        OpenAIErrorEnvelope.appendEvent(error, to: &output)
        #expect(
            String(decoding: output, as: UTF8.self)
                == "before" + #"data: {"error":{"message":"line\nbreak","type":"t","param":null,"code":"c"}}"# + "\n\n")
    }

    @Test func errorResponseHasItsStatusTypeAndHeaders() {
        let response = OpenAIErrorEnvelope.response(.methodNotAllowed(allowed: "GET, HEAD")).head.response
        #expect(response.status.code == 405)
        #expect(response.headerFields[.contentType] == "application/json")
        #expect(response.headerFields[.allow] == "GET, HEAD")
    }
}
