import HTTPTypes
import HeadgateConfiguration
import HeadgateHTTP
import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

/// Bytes before the first content are held back only while another target can still be tried.
@Suite struct HeldStreamTests {
    typealias Plan = PlannedTransport.Plan

    @Test func roleIsHeldUntilTheFirstContent() {
        let routing = ManualRouting(targets: 2)
        let exchange = routing.chat()
        let call = routing.upstreams[0].calls[0]
        call.respond()
        call.body.send(Plan.role)
        call.body.send(": comment\n\n")
        #expect(exchange.response == nil)
        call.body.send(Plan.content("A"))
        #expect(exchange.status == 200)
        #expect(exchange.client.text == Plan.role + Plan.content("A"))
        call.body.send(Plan.content("B"))
        #expect(exchange.client.pieces.count == 2)
    }

    @Test func lastAttemptIsRelayedAtOnce() {
        let routing = ManualRouting(targets: 2)
        let exchange = routing.chat()
        routing.upstreams[0].calls[0].fail(.connect)
        let call = routing.upstreams[1].calls[0]
        call.respond()
        call.body.send(Plan.role)
        #expect(exchange.client.text == Plan.role)
        #expect(exchange.fields[.xHeadgateAttempts] == "2")
        #expect(exchange.fields[.xHeadgateUpstream] == "b")
    }

    @Test func modelWithOneTargetIsRelayedAtOnce() {
        let routing = ManualRouting(targets: 1)
        let exchange = routing.chat()
        routing.upstreams[0].calls[0].respond()
        routing.upstreams[0].calls[0].body.send(Plan.role)
        #expect(exchange.client.text == Plan.role)
    }

    @Test func heldStreamIsRelayedAfter15Seconds() {
        let routing = ManualRouting(targets: 2)
        let exchange = routing.chat()
        let call = routing.upstreams[0].calls[0]
        call.respond()
        call.body.send(Plan.role)
        routing.clock.advance(by: .milliseconds(14_999))
        #expect(exchange.response == nil)
        routing.clock.advance(by: .milliseconds(1))
        #expect(exchange.client.text == Plan.role)
        // From here on a failure is reported, and no other target is tried.
        call.body.fail(.truncatedBody)
        #expect(exchange.client.text.contains("upstream_incomplete"))
        #expect(routing.upstreams[1].calls.isEmpty)
    }

    @Test func unstartedStreamIsNotRelayedAfter15Seconds() {
        let routing = ManualRouting(targets: 2)
        let exchange = routing.chat()
        routing.upstreams[0].calls[0].respond()
        routing.clock.advance(by: .seconds(20))
        #expect(exchange.response == nil)
        routing.upstreams[0].calls[0].body.fail(.silenceTimeout)
        #expect(routing.upstreams[1].calls.count == 1)
    }

    @Test func moreThan64KiBAreNotHeld() {
        let routing = ManualRouting(targets: 2)
        let exchange = routing.chat()
        let call = routing.upstreams[0].calls[0]
        call.respond()
        var events = 0
        while exchange.response == nil, events < 10_000 {
            call.body.send(Plan.role)
            events += 1
        }
        let octets = events * Plan.role.utf8.count
        #expect((65_537...66_000).contains(octets))
        #expect(exchange.client.text.utf8.count == octets)
    }

    @Test func disconnectMeanwhileCancelsTheUpstream() {
        let routing = ManualRouting(targets: 2)
        let exchange = routing.chat()
        let call = routing.upstreams[0].calls[0]
        call.respond()
        call.body.send(Plan.role)
        exchange.leave()
        #expect(call.body.calls.last == "cancel")
        #expect(routing.upstreams[1].calls.isEmpty)
        routing.clock.advance(by: .seconds(20))
        #expect(!exchange.client.text.contains("data:"))
    }
}
