import HeadgateEventLoop
import HeadgateGateway
import Synchronization

/// Timers that measure how late each loop is. They do not run on loops without clients.
final class LoopWatch: LoadWatch {
    private final class Box {
        @exclusivity(unchecked) var pressure: LoopPressure
        let timer: LoopTimer

        init(_ loop: EventLoop, _ limits: LoopPressure.Limits) {
            pressure = LoopPressure(limits, at: 0)
            timer = LoopTimer(loop: loop)
        }
    }

    private let boxes: [LoopBound<Box>]
    private let refused = Atomic<Int>(0)

    init(_ group: EventLoopGroup, limits: LoopPressure.Limits = LoopPressure.Limits()) {
        boxes = group.loops.map { LoopBound(Box($0, limits), on: $0) }
        for box in boxes { box.loop.execute { LoopWatch.prepare(box) } }
    }

    private static func prepare(_ box: LoopBound<Box>) {
        box.value.timer.action = { [unowned value = box.value, loop = box.loop] in
            value.pressure.tick(at: loop.now, hasLoad: loop.load.value > 0)
            if loop.load.value > 0 { value.timer.schedule(afterNanoseconds: value.pressure.limits.interval) }
        }
    }

    var refusals: Int { refused.load(ordering: .relaxed) }

    func refuses() -> Bool {
        let loop = EventLoop.current
        let box = boxes[loop.index].value
        if !box.timer.isScheduled {
            box.pressure = LoopPressure(box.pressure.limits, at: loop.now)
            box.timer.schedule(afterNanoseconds: box.pressure.limits.interval)
        }
        guard box.pressure.isOverloaded else { return false }
        refused.add(1, ordering: .relaxed)
        return true
    }
}
