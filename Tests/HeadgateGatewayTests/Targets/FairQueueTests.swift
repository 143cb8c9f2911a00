import HeadgateTesting
import Testing

@testable import HeadgateGateway
@testable import HeadgateRelay

@Suite struct FairQueueTests {
    private var queue = FairQueue<Int>()

    private mutating func rest() -> [Int] {
        var rest: [Int] = []
        while let next = queue.popFirst() { rest.append(next) }
        return rest
    }

    @Test mutating func oneNameIsServedInItsOrder() {
        for number in 1...5 { _ = queue.append(number, named: "a") }
        #expect(queue.count == 5)
        #expect(rest() == [1, 2, 3, 4, 5])
        #expect(queue.count == 0)
    }

    @Test mutating func namesAreServedInTurn() {
        for number in 1...4 { _ = queue.append(number, named: "a") }
        _ = queue.append(11, named: "b")
        _ = queue.append(21, named: "c")
        _ = queue.append(12, named: "b")
        #expect(rest() == [1, 11, 21, 2, 12, 3, 4])
    }

    @Test mutating func laterNameWaitsForOneRoundOnly() {
        for number in 1...9 { _ = queue.append(number, named: "a") }
        #expect(queue.popFirst() == 1)
        _ = queue.append(100, named: "late")
        #expect(queue.popFirst() == 2)
        #expect(queue.popFirst() == 100)
        #expect(queue.popFirst() == 3)
    }

    @Test mutating func removedRequestIsNotServed() {
        let tickets = (1...5).map { queue.append($0, named: "a") }
        for index in [2, 0, 4] { #expect(queue.remove(tickets[index]) == index + 1) }
        #expect(queue.remove(tickets[2]) == nil)
        #expect(queue.count == 2)
        #expect(queue.popFirst() == 2)
        #expect(queue.remove(tickets[1]) == nil)
        #expect(rest() == [4])
    }

    @Test mutating func staleTicketOfAReusedPlaceFindsNothing() {
        let old = queue.append(1, named: "a")
        #expect(queue.popFirst() == 1)
        _ = queue.append(2, named: "a")
        #expect(queue.remove(old) == nil)
        #expect(rest() == [2])
    }

    /// Compares the queue with a plain list of lines.
    @Test(arguments: 0..<30 as Range<UInt64>) mutating func agreesWithAReferenceList(seed: UInt64) {
        var random = SeededGenerator(state: seed)
        var lines: [(name: String, numbers: [Int])] = []
        var tickets: [Int: FairQueue<Int>.Ticket] = [:]
        for number in 0..<3000 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                let name = "\(Int.random(in: 0..<6, using: &random))"
                tickets[number] = queue.append(number, named: name)
                if let index = lines.firstIndex(where: { $0.name == name }) {
                    lines[index].numbers.append(number)
                } else {
                    lines.append((name, [number]))
                }
            case 5..<8:
                var expected: Int?
                if !lines.isEmpty {
                    var line = lines.removeFirst()
                    expected = line.numbers.removeFirst()
                    if !line.numbers.isEmpty { lines.append(line) }
                }
                #expect(queue.popFirst() == expected)
            default:
                let chosen = Int.random(in: 0...number, using: &random)
                guard let ticket = tickets[chosen] else { continue }
                let index = lines.firstIndex { $0.numbers.contains(chosen) }
                #expect(queue.remove(ticket) == (index == nil ? nil : chosen))
                guard let index else { continue }
                lines[index].numbers.removeAll { $0 == chosen }
                if lines[index].numbers.isEmpty { lines.remove(at: index) }
            }
            #expect(queue.count == lines.reduce(0) { $0 + $1.numbers.count })
        }
    }
}
