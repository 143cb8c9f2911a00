public import HTTPTypes
public import HeadgateHTTP

/// Creates the headers by which a server identifies an app.
public protocol HeaderFactory: Sendable {
    /// Returns the headers of one request. Called for each request, so values can change.
    func headers(for request: HTTPRequest) -> HTTPFields
}

/// Headers with the app's operating system and its identifier: `App-OS` and `Client-Id`.
public struct AppHeaders: HeaderFactory {
    /// Operating system, such as `iOS`.
    public var appOS: String
    /// Identifier of the app, or of its installation.
    public var clientID: String

    /// Creates the headers.
    ///
    /// - Parameters:
    ///   - appOS: Operating system; the default is the system that the app was built for.
    ///   - clientID: Identifier of the app, or of its installation.
    public init(appOS: String = AppHeaders.currentSystem, clientID: String) {
        self.appOS = appOS
        self.clientID = clientID
    }

    /// Operating system that this library was built for.
    public static var currentSystem: String {
        #if os(iOS)
            "iOS"
        #elseif os(macOS)
            "macOS"
        #elseif os(Linux)
            "Linux"
        #else
            "other"
        #endif
    }

    /// Returns the same headers for every request.
    public func headers(for _: HTTPRequest) -> HTTPFields { [.appOS: appOS, .clientID: clientID] }
}

/// Adds a factory's headers to every request.
public struct HeaderInjection: ClientRequestEditor {
    private let factory: any HeaderFactory

    /// Creates the middleware.
    ///
    /// - Parameter factory: Called for each request.
    public init(_ factory: any HeaderFactory) { self.factory = factory }

    /// Sets the factory's headers, which replace headers with the same names.
    public func edit(_ request: inout HTTPRequest) {
        for field in factory.headers(for: request) { request.headerFields[field.name] = field.value }
    }
}

extension HTTPField.Name {
    /// The operating system of an app.
    public static let appOS = HTTPField.Name("App-OS")!
    /// The identifier of an app, or of its installation.
    public static let clientID = HTTPField.Name("Client-Id")!
}
