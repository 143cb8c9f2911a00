internal import CLibevent

/// Interest in one direction of a descriptor. Persistent: it stays until ``remove()``.
package final class SocketEvent {
    package enum Kind { case read, write }

    private let event: UnsafeMutablePointer<event>
    // A loop outlives all objects on it. Counting an unowned reference would cost at every event.
    private let loop: EventLoop
    // Every event of the socket passes through here. Counting a reference would be one more access to cold memory.
    private unowned(unsafe) let target: any SocketEventTarget
    /// Retains a target that has no other owner.
    private let kept: SocketAction?
    package private(set) var isAdded = false

    /// - Parameter target: the owner of this event, which is not retained.
    package convenience init(loop: EventLoop, descriptor: Int32, kind: Kind, target: any SocketEventTarget) {
        self.init(loop: loop, descriptor: descriptor, kind: kind, target: target, kept: nil)
    }

    /// - Parameter action: called on the loop. It must not retain the owner of this event.
    package convenience init(loop: EventLoop, descriptor: Int32, kind: Kind, action: @escaping () -> Void) {
        let target = SocketAction(action)
        self.init(loop: loop, descriptor: descriptor, kind: kind, target: target, kept: target)
    }

    private init(
        loop: EventLoop, descriptor: Int32, kind: Kind, target: any SocketEventTarget, kept: SocketAction?
    ) {
        self.loop = loop
        self.target = target
        self.kept = kept
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
        // The target and this event are held for the call, since the target might drop the last other reference to
        // either.
        let (loop, target, kept) = (loop, target, kept)
        loop.callback { target.socketEventFired(self) }
        withExtendedLifetime(kept) {}
    }
}

/// Receiver of a socket's events.
package protocol SocketEventTarget: AnyObject {
    func socketEventFired(_ event: SocketEvent)
}

private final class SocketAction: SocketEventTarget {
    private let action: () -> Void

    init(_ action: @escaping () -> Void) { self.action = action }

    func socketEventFired(_: SocketEvent) { action() }
}

private func socketEventFired(_: Int32, _: Int16, _ context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    // The event is held for the call, since the action might drop the last other reference.
    let event = Unmanaged<SocketEvent>.fromOpaque(context).takeUnretainedValue()
    withExtendedLifetime(event) { event.fire() }
}
