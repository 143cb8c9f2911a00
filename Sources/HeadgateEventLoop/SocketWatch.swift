internal import CLibevent

/// Socket on a loop whose input is watched, with a deadline. Every connection needs both, and has them in one object.
open class SocketWatch: LoopDeadline {
    private final let event: UnsafeMutablePointer<event>
    private final var isWatching = false

    package init(loop: EventLoop, descriptor: Int32) {
        event = .allocate(capacity: 1)
        super.init(loop: loop)
        let flags = Int16(EV_READ) | Int16(EV_PERSIST)
        event_assign(event, loop.base, descriptor, flags, watchFired, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        unwatch()
        event.deallocate()
    }

    /// Called on the loop while there are bytes or an end to read.
    open func socketReadable() {}

    package final func watch() {
        guard !isWatching else { return }
        isWatching = true
        event_add(event, nil)
    }

    package final func unwatch() {
        guard isWatching else { return }
        isWatching = false
        event_del(event)
    }
}

private func watchFired(_: Int32, _: Int16, _ context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    // The object is held for the call, which might drop the last other reference.
    let watch = Unmanaged<SocketWatch>.fromOpaque(context).takeUnretainedValue()
    watch.loop.callback { watch.socketReadable() }
}
