public import HTTPTypes
public import HeadgateHTTP

/// Makes the headers by which a server knows an app.
public protocol HeaderFactory: Sendable {
    /// The fields of one request. Called for each, so that a value may change from one to the next.
    func headers(for request: HTTPRequest) -> HTTPFields
}

/// Headers with the app's operating system and its identifier: `App-OS` and `Client-Id`.
public struct AppHeaders: HeaderFactory {
    /// The system, such as `iOS`.
    public var appOS: String
    /// The app, or this installation of it.
    public var clientID: String

    /// - Parameter appOS: the system that the app was built for, unless it says otherwise.
    public init(appOS: String = AppHeaders.currentSystem, clientID: String) {
        self.appOS = appOS
        self.clientID = clientID
    }

    /// The system that this was built for.
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

/// Puts on every request what a factory makes. It knows no name and no value itself.
public struct HeaderInjection: ClientRequestEditor {
    private let factory: any HeaderFactory

    /// - Parameter factory: asked for each request.
    public init(_ factory: any HeaderFactory) { self.factory = factory }

    /// Sets the factory's headers, replacing those with the same names.
    public func edit(_ request: inout HTTPRequest) {
        for field in factory.headers(for: request) { request.headerFields[field.name] = field.value }
    }
}

extension HTTPField.Name {
    /// The system that an app runs on.
    public static let appOS = HTTPField.Name("App-OS")!
    /// An app, or an installation of it.
    public static let clientID = HTTPField.Name("Client-Id")!
}
