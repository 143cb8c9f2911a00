import HeadgateEventLoop
import HeadgateGateway
import HeadgatePrimitives

/// Channel that delivers one alert after the other, each with a deadline. Confined to its loop.
final class AlertChannel {
    /// Starts a delivery. Its completion is called once, with nil or a failure that completes "the command ...".
    ///
    /// - Returns: a closure that ends the delivery early. The completion can still be called.
    typealias Delivery = (_ alert: Alert, _ completion: @escaping (String?) -> Void) -> () -> Void

    /// Maximum number of waiting alerts; further ones are only logged.
    static let limit = 64

    private let name: String
    private let timeout: Duration
    private let say: @Sendable (String) -> Void
    private let deliver: Delivery
    private var waiting: [Alert] = []
    private var deadline: LoopTimer?
    private var cancel: (() -> Void)?
    private var isBusy = false
    /// Number of the latest delivery; the end of an earlier one is ignored.
    private var number = 0

    /// - Parameters:
    ///   - name: the channel's name for people.
    ///   - say: receives lines for people.
    init(
        _ name: String, timeout: Duration, on loop: EventLoop, say: @escaping @Sendable (String) -> Void,
        deliver: @escaping Delivery
    ) {
        (self.name, self.timeout, self.say, self.deliver) = (name, timeout, say, deliver)
        deadline = LoopTimer(loop: loop) { [unowned self] in deadlinePassed() }
    }

    deinit { cancel?() }

    func add(_ alert: Alert) {
        guard waiting.count < AlertChannel.limit else {
            return say("headgate: alerts: \(AlertChannel.limit) wait for \(name) already: this one is not sent")
        }
        waiting.append(alert)
        next()
    }

    private func next() {
        guard !isBusy, !waiting.isEmpty else { return }
        isBusy = true
        number += 1
        let sent = number
        deadline?.schedule(after: timeout)
        let cancel = deliver(waiting.removeFirst()) { [weak self] reason in
            guard let self, number == sent, isBusy else { return }
            end(reason)
        }
        if number == sent, isBusy { self.cancel = cancel }
    }

    private func deadlinePassed() {
        let cancel = cancel
        // The number changes first, so that the end of the cancelled delivery is ignored.
        number += 1
        self.cancel = nil
        cancel?()
        end("did not end within \(timeout)")
    }

    private func end(_ reason: String?) {
        cancel = nil
        isBusy = false
        deadline?.cancel()
        if let reason { say("headgate: alerts: \(name) \(LogText.line(reason))") }
        next()
    }
}
