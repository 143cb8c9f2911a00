internal import CLibevent

/// A process signal, delivered on a loop as an ordinary callback. Only one loop of a process may watch signals
/// (libevent's rule).
package final class SignalEvent {
    private let event: UnsafeMutablePointer<event>
    private unowned let loop: EventLoop
    private let action: () -> Void

    package init(loop: EventLoop, signal: Int32, action: @escaping () -> Void) {
        self.loop = loop
        self.action = action
        event = .allocate(capacity: 1)
        let flags = Int16(EV_SIGNAL) | Int16(EV_PERSIST)
        event_assign(event, loop.base, signal, flags, signalEventFired, Unmanaged.passUnretained(self).toOpaque())
        event_add(event, nil)
    }

    deinit {
        event_del(event)
        event.deallocate()
    }

    fileprivate func fire() { loop.callback(action) }
}

private func signalEventFired(_: Int32, _: Int16, _ context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    let event = Unmanaged<SignalEvent>.fromOpaque(context).takeUnretainedValue()
    withExtendedLifetime(event) { event.fire() }
}
