import HTTPTypes
import HeadgateHTTP
import HeadgatePrimitives
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct AffinityKeyTests {
    private func key(
        _ rule: AffinityRule, _ body: String, of operation: RelayOperation = .createChatCompletion,
        model: String = "m", fields: HTTPFields = [:], caller: String = "laptop"
    ) -> UInt64? {
        AffinityKey.of(
            rule, body: Array(body.utf8), of: operation, model: model, fields: HeadFields(fields), caller: caller)
    }

    private func conversation(
        _ body: String, of operation: RelayOperation = .createChatCompletion, model: String = "m"
    ) -> UInt64? {
        key(.conversation, body, of: operation, model: model)
    }

    // MARK: Conversation

    @Test func laterTurnsOfAChatHaveItsKey() throws {
        let first = try #require(
            conversation(
                #"{"model":"m","messages":[{"role":"system","content":"s"},{"role":"user","content":"hi"}]}"#))
        let later = conversation(
            #"""
            {"messages": [{"content": "s", "role": "developer"}, {"role": "user", "name": "x", "content": "hi"},
             {"role": "assistant", "content": "yes?"}, {"role": "user", "content": "more"},
             {"role": "system", "content": "other"}], "temperature": 1}
            """#)
        #expect(later == first)
    }

    @Test func modelSystemTextAndFirstMessageMakeDifferentChats() {
        let bodies = [("m", "s", "hi"), ("n", "s", "hi"), ("m", "t", "hi"), ("m", "s", "ho"), ("m", "hi", "s")]
        let keys = bodies.map { model, system, user in
            conversation(
                #"{"messages":[{"role":"system","content":"\#(system)"},{"role":"user","content":"\#(user)"}]}"#,
                model: model)
        }
        #expect(!keys.contains(nil) && Set(keys).count == bodies.count)
    }

    @Test(arguments: [
        #""x-anthropic-billing-header: cc_version=2.1.TURN; cch=TURNee5;\nYou are an agent.""#,
        #"[{"type":"text","text":"x-anthropic-billing-header: cch=TURNee5;"},{"type":"text","text":"You are."}]"#,
        #""You are an agent. Current date and time: 2026-03-09 at 06:00:TURN PM""#,
    ])
    func changingSystemNotesKeepTheKey(_ system: String) {
        let keys = ["10", "21"].flatMap { turn -> [UInt64?] in
            let text = system.replacing("TURN", with: turn)
            return [
                conversation(
                    #"{"system":\#(text),"messages":[{"role":"user","content":"hi"}]}"#, of: .createMessage),
                conversation(
                    #"{"messages":[{"role":"system","content":\#(text)},{"role":"user","content":"hi"}]}"#),
            ]
        }
        #expect(!keys.contains(nil) && Set(keys).count == 1)
    }

    @Test func chatWithoutSystemTextHasAKey() {
        let alone = conversation(#"{"messages":[{"role":"user","content":"hi"}]}"#)
        #expect(alone != nil)
        #expect(alone != conversation(#"{"messages":[{"role":"system","content":""},{"role":"user","content":"hi"}]}"#))
    }

    @Test func textEqualsItsOnlyPartWhereverTheCacheMarkIs() {
        let text = conversation(#"{"messages":[{"role":"user","content":"hi"}]}"#)
        for part in [
            #"{"type":"text","text":"hi"}"#, #"{"type":"text","text":"hi","cache_control":{"type":"ephemeral"}}"#,
        ] {
            #expect(conversation(#"{"messages":[{"role":"user","content":[\#(part)]}]}"#) == text)
        }
    }

    @Test func partsWithoutTextCountWithAllButTheCacheMark() {
        func image(_ url: String, _ more: String = "") -> UInt64? {
            conversation(#"{"messages":[{"role":"user","content":[{"type":"image","url":"\#(url)"\#(more)}]}]}"#)
        }
        #expect(image("a") != nil && image("a") != image("b"))
        #expect(image("a", #","cache_control":{"type":"ephemeral"}"#) == image("a"))
    }

    @Test func systemTextIsNextToTheMessages() {
        func key(_ body: String) -> UInt64? { conversation(body, of: .createMessage) }
        let first = key(#"{"system":"s","messages":[{"role":"user","content":"hi"}]}"#)
        #expect(first != nil)
        #expect(
            key(#"{"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"a"}],"system":"s"}"#)
                == first)
        #expect(
            key(#"{"system":[{"type":"text","text":"s"}],"messages":[{"role":"user","content":"hi"}]}"#) == first)
        #expect(key(#"{"system":"t","messages":[{"role":"user","content":"hi"}]}"#) != first)
        #expect(key(#"{"messages":[{"role":"user","content":"hi"}]}"#) != first)
        // A token count for a conversation has the key of the conversation.
        #expect(
            conversation(#"{"system":"s","messages":[{"role":"user","content":"hi"}]}"#, of: .countMessageTokens)
                == first)
    }

    @Test func responsesHaveInstructionsAndTheirInputAsTextOrItems() {
        func key(_ body: String) -> UInt64? { conversation(body, of: .createResponse) }
        let first = key(#"{"instructions":"s","input":"hi"}"#)
        #expect(first != nil)
        #expect(
            key(
                #"""
                {"input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]},
                {"type":"function_call","arguments":"{}"}],"instructions":"s"}
                """#) == first)
        #expect(key(#"{"input":"hi"}"#) != first && key(#"{"instructions":"s","input":"ho"}"#) != first)
    }

    @Test func completionsHaveTheirPrompt() {
        let texts = [#""a""#, #""b""#, #"["a","b"]"#, #"["a","c"]"#, "[[1,2]]"]
        let keys = texts.map { conversation(#"{"prompt":\#($0),"model":"m"}"#, of: .createCompletion) }
        #expect(!keys.contains(nil) && Set(keys).count == texts.count)
    }

    @Test(arguments: [
        #"{"messages":[]}"#, #"{"messages":[{"role":"system","content":"s"}]}"#, "{}",
        #"{"messages":[{"role":"user"}]}"#,
        #"{"messages":[1,null,"x",{"role":7,"content":"a"}]}"#,
    ])
    func withoutAUserMessageThereIsNoKey(_ body: String) {
        #expect(conversation(body) == nil)
    }

    @Test func operationsWithoutAConversationHaveNoKey() {
        for operation in [RelayOperation.createEmbedding, .createModeration, .createImage, .createSpeech] {
            #expect(conversation(#"{"input":"hi","prompt":"hi","messages":[]}"#, of: operation) == nil)
        }
    }

    // MARK: Others

    @Test func userIsTheMemberElseTheCaller() {
        let user = key(.user, #"{"messages":[{"user":"no"}],"user":"u1"}"#)
        #expect(user != nil && user == key(.user, #"{"user":"u1"}"#, model: "n", caller: "other"))
        #expect(user != key(.user, #"{"user":"u2"}"#))
        for body in ["{}", #"{"user":""}"#, #"{"user":null}"#, #"{"user":7}"#] {
            #expect(key(.user, body, caller: "a") == key(.user, "{}", caller: "a"))
            #expect(key(.user, body, caller: "a") != key(.user, body, caller: "b"))
        }
    }

    @Test func userOfMessagesIsInTheirMetadata() {
        func user(_ body: String) -> UInt64? { key(.user, body, of: .createMessage) }
        let known = user(#"{"metadata":{"other":1,"user_id":"u1"}}"#)
        #expect(known == user(#"{"max_tokens":1,"metadata":{"user_id":"u1"}}"#))
        #expect(known != user(#"{"metadata":{"user_id":"u2"}}"#))
        for body in ["{}", #"{"metadata":null}"#, #"{"metadata":{}}"#, #"{"user_id":"u1"}"#] {
            #expect(user(body) == StableHash.of("laptop"))
        }
    }

    @Test func promptCacheKeyIsTheMember() {
        let known = key(.promptCacheKey, #"{"prompt_cache_key":"k1"}"#)
        #expect(known != nil && known != key(.promptCacheKey, #"{"prompt_cache_key":"k2"}"#))
        #expect(key(.promptCacheKey, #"{"user":"k1"}"#) == nil)
    }

    @Test func headerIsTheFieldOfTheRequest() throws {
        let name = try #require(HTTPField.Name("X-Session"))
        let known = key(.header(name), "{}", fields: [name: "s1"])
        #expect(known != nil && known == key(.header(name), #"{"a":1}"#, fields: [name: "s1"]))
        #expect(known != key(.header(name), "{}", fields: [name: "s2"]))
        #expect(key(.header(name), "{}") == nil && key(.header(name), "{}", fields: [name: ""]) == nil)
    }
}
