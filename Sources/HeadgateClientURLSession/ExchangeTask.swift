internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Task of an exchange. Its methods never call back before they return.
protocol ExchangeTask: Sendable {
    func resume()
    func suspend()
    /// Cancels the task; does nothing if it has ended.
    func cancel()
}

extension URLSessionDataTask: ExchangeTask {}
