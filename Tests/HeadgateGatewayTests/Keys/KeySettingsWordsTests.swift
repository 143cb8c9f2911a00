import HeadgateConfiguration
import HeadgateGateway
import Testing

@Suite struct KeySettingsWordsTests {
    @Test func limitOfDigitsIsANumber() throws {
        let settings = try KeySettings(limits: ["requests=60/m", "in_flight=809", "burst=10:", "requests=5/s"])
        #expect(settings.text == #"{"limits":{"requests":["60/m","5/s"],"in_flight":809,"burst":"10:"}}"#)
    }

    @Test func valueIsEverythingAfterTheFirstEqualsSign() throws {
        #expect(try KeySettings(limits: ["burst=1=2"]).text == #"{"limits":{"burst":"1=2"}}"#)
    }

    @Test(arguments: [["in_flight=8", "in_flight=9"], ["burst=1", "burst=1"], ["requests"], ["=5"], ["requests="]])
    func limitThatIsNotClearIsRefused(_ words: [String]) {
        #expect(throws: KeySettingsError.self) { try KeySettings(limits: words) }
    }

    @Test(arguments: [("5/month", "usd"), ("$5/month", "usd"), ("usd=5/month", "usd"), ("tokens=5/month", "tokens")])
    func budgetIsAnAmountAndATime(_ word: String, _ unit: String) throws {
        #expect(try KeySettings(budget: word).text == #"{"budget":{"\#(unit)":"5","every":"month"}}"#)
    }

    @Test(arguments: ["5", "5/", "/month", "5/month/", "usd=/month"])
    func budgetWithoutOneOfThemIsRefused(_ word: String) {
        #expect(throws: KeySettingsError.self) { try KeySettings(budget: word) }
    }
}
