internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// What an exchange does with its task. None of it calls back before it returns.
protocol ExchangeTask: Sendable {
    func resume()
    func suspend()
    /// Of a task that has ended: nothing.
    func cancel()
}

extension URLSessionDataTask: ExchangeTask {}
