import HeadgateHTTP
import Testing

@Suite struct BaseURLTests {
    @Test(
        arguments: [
            (.tcp(host: "api.example", port: 80), "api.example"),
            (.tcp(host: "api.example", port: 443), "api.example:443"),
            (.tls(host: "api.example", port: 443), "api.example"),
            (.tls(host: "api.example", port: 80), "api.example:80"),
            (.tcp(host: "::1", port: 8080), "[::1]:8080"), (.tls(host: "::1", port: 443), "[::1]"),
            (.unix(path: "/run/x.sock"), "localhost"),
        ] as [(BaseURL.Endpoint, String)])
    func authorityNamesThePortUnlessItIsTheStandardOne(_ endpoint: BaseURL.Endpoint, _ authority: String) {
        let url = BaseURL(endpoint: endpoint, pathPrefix: "/v1")
        #expect(url.authority == authority)
        #expect(Authority(url.authority) != nil)
        #expect(url.pathPrefix == "/v1")
    }
}
