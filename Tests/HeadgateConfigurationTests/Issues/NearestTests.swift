import HeadgateConfiguration
import Testing

@Suite struct NearestTests {
    @Test(arguments: [
        ("lisen", "listen"), ("litsen", "listen"), ("LISTEN", "listen"), ("listenn", "listen"), ("modles", "models"),
        ("baseurl", "base_url"), ("key", "keys"),
    ])
    func closeWordsAreFound(_ word: String, _ expected: String) {
        #expect(nearest(word, in: ["listen", "models", "keys", "base_url"]) == expected)
    }

    @Test(arguments: ["", "x", "port", "upstream_servers", String(repeating: "listen", count: 100_000)])
    func distantWordsAreNot(_ word: String) {
        #expect(nearest(word, in: ["listen", "models", "keys", "base_url"]) == nil)
    }

    @Test func theClosestWins() {
        #expect(nearest("gpt-4o-mimi", in: ["gpt-4o", "gpt-4o-mini", "gpt-4o-max"]) == "gpt-4o-mini")
    }
}
