import HeadgateTesting
import Testing

@testable import HeadgateUpstream

/// Runs all events of a group, in every order of a few steps and in long random orders.
@Suite struct ProgramGroupInterleavingTests {
    private enum Event: CaseIterable {
        case join, forget, proceed, end, fail, wait
    }

    /// A group, and a model of its programs to compare with.
    private struct World {
        enum Program { case out, starting, ready, leaving }

        var machine: ProgramGroup.StateMachine
        let max: Int
        var programs = [1: Program.out, 2: .out, 3: .out]
        var inFlight = [1: 0, 2: 0, 3: 0]
        var waiting: [Int: [Int]] = [1: [], 2: [], 3: []]
        var (served, refused, now) = (0, 0, UInt64(0))

        init(max: Int) {
            self.max = max
            machine = ProgramGroup.StateMachine(
                ProgramGroup.Settings(max: max, queue: 6, wait: 600_000_000_000, drain: 1))
            for member in 1...3 { machine.add(member) }
        }

        var running: Int { programs.values.count { $0 != .out } }
        var waits: Int { waiting.values.reduce(0) { $0 + $1.count } }

        /// Lets an event happen to a program.
        ///
        /// - Returns: whether the event was possible.
        mutating func play(_ event: Event, _ member: Int) -> Bool {
            switch (event, programs[member]) {
            case (.join, .ready):
                inFlight[member, default: 0] += 1
                served += 1
            case (.join, _):
                guard let number = machine.join(member, at: now) else { return false }
                waiting[member, default: []].append(number)
            case (.forget, _):
                guard let number = waiting[member]?.popLast() else { return false }
                machine.forget(number, of: member)
            case (.proceed, .starting):
                programs[member] = .ready
                inFlight[member] = waiting[member]?.count
                served += waiting[member]?.count ?? 0
                waiting[member] = []
                machine.ready(member)
            case (.proceed, .leaving):
                programs[member] = .out
                inFlight[member] = 0
                machine.gone(member, failed: false)
            case (.end, .ready), (.end, .leaving):
                guard let count = inFlight[member], count > 0 else { return false }
                inFlight[member] = count - 1
            case (.fail, .starting), (.fail, .ready), (.fail, .leaving):
                programs[member] = .out
                inFlight[member] = 0
                refused += waiting[member]?.count ?? 0
                waiting[member] = []
                machine.gone(member, failed: true)
            case (.wait, _): now += 5_000_000_000
            default: return false
            }
            advance()
            return true
        }

        private mutating func advance() {
            let inFlight = inFlight
            for action in machine.advance(at: now, { .init(requestsInFlight: inFlight[$0] ?? 0) }) {
                switch action {
                case .start(let member):
                    #expect(programs[member] == .out)
                    programs[member] = .starting
                case .retire(let member):
                    #expect(programs[member] == .ready)
                    programs[member] = .leaving
                case .refuse(let numbers, let member):
                    waiting[member]?.removeAll { numbers.contains($0) }
                    refused += numbers.count
                }
            }
            check()
        }

        private func check() {
            #expect(running <= max)
            #expect(machine.waiting == waits)
            let wanted = programs.count { $0.value == .out && waiting[$0.key] != [] }
            guard wanted > 0 else { return }
            #expect(running == max, "there is room, and a request waits")
            let leaving = programs.values.count { $0 == .leaving }
            let idle = programs.count { $0.value == .ready && inFlight[$0.key] == 0 }
            #expect(leaving >= wanted || idle == 0, "a program does nothing, and a request waits")
        }

        /// Ends everything that has started, and advances the time until no request waits.
        mutating func settle() {
            for _ in 0..<20 where waits > 0 {
                for member in 1...3 {
                    while play(.end, member) {}
                    _ = play(.proceed, member)
                }
                _ = play(.wait, 1)
            }
            #expect(waits == 0, "a request waits for ever: \(programs) \(waiting)")
        }
    }

    private func explore(_ world: World, _ depth: Int, _ seen: inout Int) {
        seen += 1
        guard depth > 0 else {
            var end = world
            return end.settle()
        }
        for event in Event.allCases {
            for member in event == .wait ? 1...1 : 1...3 {
                var next = world
                if next.play(event, member) { explore(next, depth - 1, &seen) }
            }
        }
    }

    @Test(arguments: [(1, 5), (2, 4)]) func everyOrderOfAFewEvents(_ max: Int, _ depth: Int) {
        var seen = 0
        explore(World(max: max), depth, &seen)
        #expect(seen > 500)
    }

    @Test(arguments: 1...2) func longRandomOrders(_ max: Int) {
        var generator = SeededGenerator(state: 41)
        for _ in 0..<100 {
            var world = World(max: max)
            for _ in 0..<60 {
                let event = Event.allCases.randomElement(using: &generator) ?? .wait
                _ = world.play(event, Int.random(in: 1...3, using: &generator))
            }
            world.settle()
        }
    }
}
