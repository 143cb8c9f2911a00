/// Where the on-device model is on its way to answering.
package enum OnDeviceState: Sendable, Equatable {
    /// The text is for people: what is being done.
    case starting(String)
    case ready
    /// It ended and will be started again.
    case restarting
    /// It cannot work here; the text says why and what to do.
    case failed(String)
}
