import Foundation
import HeadgateConfiguration

@testable import HeadgateStores

/// An empty database for one test.
struct TestDatabase {
    let on: TestServer
    private let name = "t" + UUID().uuidString.replacing("-", with: "").lowercased()

    init(on server: TestServer? = nil, encoding: String = "UTF8") throws {
        on = try server ?? TestServer.shared.get()
        try TestDatabase.server(on, "postgres").connect().query(
            "CREATE DATABASE \(name) TEMPLATE template0 ENCODING '\(encoding)'", within: .seconds(60))
    }

    /// - Parameter user: percent-encoded name, with or without a password.
    static func server(
        _ server: TestServer, _ database: String, user: String = "owner:\(TestServer.writtenPassword)",
        patience: PostgreSQLServer.Patience = .forTests
    ) throws -> PostgreSQLServer {
        PostgreSQLServer(try url(server, database, user: user), patience: patience)
    }

    static func url(
        _ server: TestServer, _ database: String, user: String = "owner:\(TestServer.writtenPassword)"
    ) throws -> PostgreSQLURL {
        try PostgreSQLURL(parsing: "postgresql://\(user)@/\(database)?host=\(server.folder)")
    }

    func server(
        user: String = "owner:\(TestServer.writtenPassword)", patience: PostgreSQLServer.Patience = .forTests
    ) throws -> PostgreSQLServer { try TestDatabase.server(on, name, user: user, patience: patience) }

    /// Opens a connection of the owner.
    func connection() throws -> PostgreSQLConnection { try server().connect() }

    /// Returns the first column of a statement's first row.
    func number(_ statement: String) throws -> Int64 { try connection().query(statement).integer(0, 0) }

    /// Creates a role with a password on this server.
    func role(_ name: String, _ statements: String...) throws -> String {
        let role = "\(name)_\(self.name)"
        let connection = try connection()
        try connection.query("CREATE ROLE \(role) LOGIN PASSWORD 'pw'")
        for statement in statements { try connection.query(statement.replacing("ROLE", with: role)) }
        return role
    }
}

extension PostgreSQLServer.Patience {
    /// Patience for servers that come and go on a busy machine.
    static var forTests: PostgreSQLServer.Patience {
        var patience = PostgreSQLServer.Patience()
        (patience.connecting, patience.answer, patience.work) = (120, .seconds(120), .seconds(120))
        patience.pause = (.milliseconds(20), .milliseconds(100))
        return patience
    }

    /// Patience for a server that is stopped.
    static var short: PostgreSQLServer.Patience {
        var patience = PostgreSQLServer.Patience.forTests
        (patience.connecting, patience.answer, patience.work) = (2, .seconds(2), .seconds(2))
        return patience
    }
}
