import Testing

@testable import HeadgateHTTP

@Suite struct MultipartBoundaryTests {
    @Test(arguments: [
        ("multipart/form-data; boundary=----WebKitFormBoundaryA1", "----WebKitFormBoundaryA1"),
        ("Multipart/Form-Data;charset=utf-8;BOUNDARY=\"a:b\"", "a:b"), ("multipart/form-data; boundary=a ", "a"),
    ])
    func boundaryIsFound(_ contentType: String, _ boundary: String) throws {
        #expect(try #require(MultipartBoundary(contentType: contentType)).bytes == Array(boundary.utf8))
    }

    @Test(arguments: [
        "multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=\"\"",
        "multipart/mixed; boundary=a", "application/json; boundary=a", "multipart/form-data; boundary=a; boundary=b",
        "multipart/form-data; boundary=\"a b\"", "multipart/form-data; boundary=\"a\\\"",
        "multipart/form-data; boundary=a b", "multipart/form-data; boundary='a'",
        "multipart/form-data; boundary=\"'a'\"",
        "multipart/form-data; boundary=\"ä\"", "multipart/form-data, boundary=a",
        "multipart/form-data; boundary=" + String(repeating: "b", count: 71),
    ])
    func invalidBoundaryIsRefused(_ contentType: String) {
        #expect(MultipartBoundary(contentType: contentType) == nil)
    }

    @Test func contentTypeIsRewritten() throws {
        let plain = try #require(MultipartBoundary(contentType: "multipart/form-data; charset=x; boundary=\"a-b\""))
        #expect(plain.contentType == "multipart/form-data; boundary=a-b")
        let quoted = try #require(MultipartBoundary(contentType: "multipart/form-data; boundary=\"a=b\""))
        #expect(quoted.contentType == "multipart/form-data; boundary=\"a=b\"")
        let longest = String(repeating: "b", count: 70)
        #expect(MultipartBoundary(contentType: "multipart/form-data; boundary=\(longest)") != nil)
    }
}
