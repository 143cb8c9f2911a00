import Foundation
import HeadgateHTTP
import Testing

@testable import HeadgateOpenAPI

/// Values of unspecific schemas, and of formats.
@Suite struct ValueTests {
    @Test func anyJSONIsPreserved() throws {
        let text = #"{"a":[1,2.5,"x",true,null,{}],"b":{"c":-9007199254740993}}"#
        let value: OpenAPIValueContainer = try JSONBody.decode(Array(text.utf8))
        #expect(String(decoding: try JSONBody.write(value), as: UTF8.self) == text)
        #expect(String(decoding: try JSONBody.encode(value), as: UTF8.self) == text)
        #expect(value == ["a": [1, 2.5, "x", true, nil, [:]], "b": ["c": -9_007_199_254_740_993]])
        let members = try #require(value.value as? [String: (any Sendable)?])
        #expect((members["b"] as? [String: (any Sendable)?])?["c"] as? Int == -9_007_199_254_740_993)
        #expect(try OpenAPIValueContainer(unvalidatedValue: members) == value)
    }

    @Test func valuesOutsideJSONAreRefused() throws {
        #expect(throws: EncodingError.self) { _ = try OpenAPIValueContainer(unvalidatedValue: Date()) }
        #expect(throws: EncodingError.self) { _ = try OpenAPIObjectContainer(unvalidatedValue: ["a": [Date()]]) }
        var object = try OpenAPIObjectContainer(unvalidatedValue: ["a": Int8(1), "b": nil])
        #expect(object["a"] == 1 && object["b"] == OpenAPIValueContainer(nilLiteral: ()))
        object["a"] = "text"
        #expect(object.value["a"] as? String == "text")
    }

    @Test(arguments: [
        ("2024-05-01T12:00:00Z", 1_714_564_800), ("2024-05-01T14:00:00+02:00", 1_714_564_800),
        ("2024-05-01T12:00:00.25Z", 1_714_564_800.25), ("1969-12-31T23:59:59Z", -1),
    ])
    func dateIsReadInAllItsForms(text: String, seconds: Double) throws {
        let date = try #require(Date(parameterText: text))
        #expect(abs(date.timeIntervalSince1970 - seconds) < 0.001)
        #expect(Date(parameterText: date.parameterText) == date)
    }

    @Test(arguments: ["", "today", "2024-05-01", "1714564800"])
    func invalidDateIsNil(text: String) { #expect(Date(parameterText: text) == nil) }

    @Test func bytesAreWrittenInBase64() throws {
        #expect(Base64EncodedData([1, 2, 255]).text == "AQL/")
        #expect(Base64EncodedData(text: "AQL/")?.data == [1, 2, 255] && Base64EncodedData(text: "A") == nil)
    }

    @Test func serverHasTheValuesOfItsVariables() throws {
        let url = try BaseURL(
            template: "https://{region}.example.com:{port}/{version}/",
            variables: ["region": "eu", "port": "8443", "version": "v1"])
        #expect(url == BaseURL(endpoint: .tls(host: "eu.example.com", port: 8443), pathPrefix: "/v1"))
        #expect(try BaseURL(template: "http://[::1]", variables: [:]).endpoint == .tcp(host: "::1", port: 80))
    }

    @Test(arguments: ["https://{a}", "ftp://{a}", "https://{a}:x", "https://{a}:0", "https://{a}/?b", "{a}"])
    func valuesThatFormNoURLAreRefused(template: String) {
        #expect(throws: InvalidServerURL.self) {
            _ = try BaseURL(template: template, variables: ["a": template == "https://{a}" ? "" : "x"])
        }
    }
}
