internal import HeadgateHTTP

/// One of the attempts at a request, with what was decided for it.
struct RoutedAttempt {
    /// Of the target in the route.
    let index: Int
    let target: ModelTarget
    /// The target's, with the key for this attempt.
    let upstream: Upstream
    let activity: AttemptActivity
    /// Whether nothing may be sent downstream before the first content, since another attempt may follow.
    let isHeld: Bool
    /// Of the request with all its attempts; nil without a limit.
    let total: Duration?
    /// Whether it is local because nothing else can be reached.
    let isDegraded: Bool

    /// - Parameter completion: called once, perhaps before this returns.
    /// - Returns: what gives the attempt up; nil when it is over already.
    func start(
        _ request: RelayRequest, _ handler: RelayHandler, isHeld: Bool? = nil,
        completion: @escaping RequestHandler.Completion
    ) -> (any Cancellable)? {
        RelayAttempt.start(
            request, at: target, upstream, handler, isHeld: isHeld ?? self.isHeld, total: total,
            activity: activity, completion: completion)
    }
}
