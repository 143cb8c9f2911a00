/// What the program of a local upstream is doing.
package enum LocalServerState: Sendable, Equatable {
    case stopped
    case starting
    case ready
    case stopping
    /// It could not start or has ended by itself; the text says how, and holds nothing that the program wrote.
    case failed(String)
}

/// What becomes known about the program of a local upstream.
package enum LocalServerEvent: Sendable, Equatable {
    case state(LocalServerState)
    /// A line that the program wrote, without control characters.
    case output(String)
    /// So many lines came too fast and are lost.
    case outputLeftOut(Int)
}
