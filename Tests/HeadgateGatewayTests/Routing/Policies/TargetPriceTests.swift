import HeadgatePrices
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct TargetPriceTests {
    private static let own = PriceList(own: [
        PriceEntry(name: "mine", price: TokenPrice(input: 7, output: 8), source: .file("prices.yaml:1"))
    ])

    private static func isPlain(_ entry: PriceEntry) -> Bool { !entry.name.contains("*") && !entry.price.isFree }

    private func text(_ price: TargetPrice) -> String {
        switch price {
        case .fixed(nil): "unknown"
        case .fixed(let price?): price.isFree ? "free" : "\(price.input)"
        case .byName: "by name"
        }
    }

    private func text(
        _ prices: PriceList?, _ model: String?, public name: String = "m", isOnDevice: Bool = false,
        isLocal: Bool = false
    ) -> String {
        text(
            TargetPrice(prices, upstreamModel: model, publicModel: name, isOnDevice: isOnDevice, isLocal: isLocal))
    }

    @Test func withoutPricesNoneIsKnown() {
        #expect(text(nil, "mine") == "unknown" && text(nil, "mine", isOnDevice: true) == "unknown")
        #expect(!TargetPrice.fixed(nil).mayBeKnown)
        #expect(TargetPrice.byName.mayBeKnown && TargetPrice.fixed(.free).mayBeKnown)
    }

    @Test func modelsOnThisDeviceAndLocalOnesAreFree() throws {
        let known = try #require(PriceList.builtIn.first(where: Self.isPlain))
        #expect(text(Self.own, "mine", isOnDevice: true) == "free")
        for prices in [PriceList(), Self.own] {
            #expect(text(prices, known.name, isLocal: true) == "free" && text(prices, "other", isLocal: true) == "free")
        }
        #expect(text(Self.own, "mine", isLocal: true) == "7", "the file names it")
        #expect(text(Self.own, nil, public: "mine", isLocal: true) == "7")
    }

    @Test func otherModelsHaveThePriceOfTheirName() throws {
        let known = try #require(PriceList.builtIn.first(where: Self.isPlain))
        for prices in [PriceList(), Self.own] { #expect(text(prices, known.name) == "\(known.price.input)") }
        #expect(text(Self.own, "mine") == "7" && text(Self.own, nil, public: "mine") == "7")
        #expect(text(Self.own, "no-such-model", public: "no-such-name") == "unknown")
    }

    @Test func modelBehindAPatternIsPricedByTheRequestedName() {
        #expect(text(Self.own, nil, public: "any-*") == "by name" && text(Self.own, "mine", public: "any-*") == "7")
    }
}
