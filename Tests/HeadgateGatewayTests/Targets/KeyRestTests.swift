import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct KeyRestTests {
    private let key = KeyRest()

    @Test func wrongKeyRestsForEveryModel() {
        key.refuse(until: 30)
        key.refuse(until: 5)
        for model in ["m", "n"] { #expect(key.rest(of: model, at: 29) == Rest(until: 30, reason: .wrong)) }
        #expect(key.rest(of: "m", at: 30) == nil)
    }

    @Test(arguments: [false, true]) func keyRefusedForAModelRestsOnlyForIt(_ isAsked: Bool) {
        key.limit("m", until: 30, isAsked: isAsked, at: 0)
        #expect(key.rest(of: "m", at: 29) == Rest(until: 30, reason: isAsked ? .asked : .refused))
        #expect(key.rest(of: "n", at: 29) == nil)
        #expect(key.rests(at: 29) && !key.rests(at: 30))
        #expect(key.rest(of: "m", at: 30) == nil)
    }

    /// The order of the refusals does not matter.
    @Test(arguments: [["m", "n"], ["n", "m"]]) func restForTwoModelsIsARestForAll(_ order: [String]) {
        for model in order { key.limit(model, until: model == "m" ? 30 : 20, isAsked: model == "m", at: 0) }
        #expect(key.rest(of: "m", at: 19) == Rest(until: 30, reason: .asked))
        for model in ["n", "x"] { #expect(key.rest(of: model, at: 19) == Rest(until: 20, reason: .refused)) }
        #expect(key.rest(of: "m", at: 20) == Rest(until: 30, reason: .asked))
        for model in ["n", "x"] { #expect(key.rest(of: model, at: 20) == nil) }
    }

    @Test func expiredRestDoesNotCountAsASecondModel() {
        key.limit("m", until: 10, isAsked: false, at: 0)
        key.limit("n", until: 20, isAsked: false, at: 10)
        #expect(key.rest(of: "n", at: 15) != nil && key.rest(of: "m", at: 15) == nil)
    }

    @Test func shorterRestDoesNotEndALongerOneOfTheSameModel() {
        key.limit("m", until: 30, isAsked: true, at: 0)
        key.limit("m", until: 5, isAsked: false, at: 0)
        #expect(key.rest(of: "m", at: 10) == Rest(until: 30, reason: .asked))
        #expect(key.rest(of: "n", at: 1) == nil)
    }

    @Test func firstOfTwoEquallyLongRestsIsTheModelsOwn() {
        for model in ["m", "n"] { key.limit(model, until: 30, isAsked: false, at: 0) }
        key.recover("n")
        #expect(key.rest(of: "m", at: 1) == Rest(until: 30, reason: .refused))
        #expect(key.rest(of: "n", at: 1) == nil)
    }

    @Test func responseEndsARestOfUnknownLength() {
        key.limit("m", until: 30, isAsked: false, at: 0)
        key.limit("n", until: 20, isAsked: false, at: 0)
        key.recover("m")
        #expect(!key.rests(at: 1))
        key.limit("m", until: 30, isAsked: true, at: 0)
        key.recover("m")
        #expect(key.rest(of: "m", at: 1) == Rest(until: 30, reason: .asked))
    }
}
