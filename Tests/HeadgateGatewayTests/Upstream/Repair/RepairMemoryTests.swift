import HeadgateConfiguration
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct RepairMemoryTests {
    private func memory(_ usage: UsageInStreams = .auto) -> RepairMemory {
        var configuration = UpstreamConfiguration(name: "a", kind: .openai)
        configuration.usageInStreams = usage
        return RepairMemory(configuration)
    }

    @Test func repairsAreRememberedForAModelWithAnOperation() {
        let memory = memory()
        #expect(!memory.isInUse)
        memory.remember(Repairs(.temperature), of: .createChatCompletion, "m")
        memory.remember(Repairs(.topP), of: .createChatCompletion, "m")
        #expect(memory.isInUse)
        #expect(memory.repairs(of: .createChatCompletion, "m").text == "top_p,temperature")
        #expect(memory.repairs(of: .createChatCompletion, "n").isEmpty)
        #expect(memory.repairs(of: .createResponse, "m").isEmpty)
    }

    @Test func refusalForManyModelsAppliesToAll() {
        let memory = memory()
        for model in 0..<RepairMemory.capacity {
            memory.remember(Repairs(.temperature), of: .createChatCompletion, "\(model)")
        }
        #expect(memory.repairs(of: .createChatCompletion, "x").isEmpty)
        memory.remember(Repairs(.temperature), of: .createChatCompletion, "one more")
        memory.remember(Repairs(.topP), of: .createChatCompletion, "0")
        #expect(memory.repairs(of: .createChatCompletion, "x") == Repairs(.temperature))
        #expect(memory.repairs(of: .createChatCompletion, "0").text == "top_p,temperature")
    }

    @Test func loopsRememberAtOnce() async {
        let memory = memory()
        _ = await concurrently(4) {
            for model in 0..<16 { memory.remember(Repairs(.temperature), of: .createChatCompletion, "\(model)") }
        }
        for model in 0..<16 {
            #expect(memory.repairs(of: .createChatCompletion, "\(model)") == Repairs(.temperature))
        }
    }

    @Test func configurationDecidesAboutUsageInStreams() {
        #expect(memory(.never).repairs(of: .createChatCompletion, "m") == Repairs(.streamOptions))
        #expect(memory(.never).isInUse && memory(.never).repairs(of: .createResponse, "m").isEmpty)
        #expect(memory(.ask).excluded == Repairs(.streamOptions) && !memory(.ask).isInUse)
        #expect(memory(.auto).excluded.isEmpty)
    }
}
