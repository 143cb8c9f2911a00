internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// The task of an exchange. Its methods return before they cause any callback.
protocol ExchangeTask: Sendable {
    func resume()
    func suspend()
    /// Cancels the task; does nothing if it has ended.
    func cancel()
}

extension URLSessionDataTask: ExchangeTask {}
