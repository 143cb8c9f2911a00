internal import CLibevent

/// Interest in one direction of a descriptor. Persistent: it stays until ``remove()``.
package final class SocketEvent {
    package enum Kind { case read, write }

    private let event: UnsafeMutablePointer<event>
    // A loop outlives all that lives on it; counting it as unowned would cost at every event.
    private let loop: EventLoop
    private let action: () -> Void
    package private(set) var isAdded = false

    /// The action runs on the loop. It must not keep alive whoever owns this event.
    package init(loop: EventLoop, descriptor: Int32, kind: Kind, action: @escaping () -> Void) {
        self.loop = loop
        self.action = action
        event = .allocate(capacity: 1)
        let flags = Int16(kind == .read ? EV_READ : EV_WRITE) | Int16(EV_PERSIST)
        event_assign(event, loop.base, descriptor, flags, socketEventFired, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        remove()
        event.deallocate()
    }

    package func add() {
        guard !isAdded else { return }
        isAdded = true
        event_add(event, nil)
    }

    package func remove() {
        guard isAdded else { return }
        isAdded = false
        event_del(event)
    }

    fileprivate func fire() {
        loop.callback(action)
    }
}

private func socketEventFired(_: Int32, _: Int16, _ context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    // Held for the call: the action may drop the last other reference.
    let event = Unmanaged<SocketEvent>.fromOpaque(context).takeUnretainedValue()
    withExtendedLifetime(event) { event.fire() }
}
