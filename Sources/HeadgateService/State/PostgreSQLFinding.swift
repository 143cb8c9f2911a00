package import HeadgateConfiguration
import HeadgateStores

/// What `headgate check --live` tells of PostgreSQL.
package struct PostgreSQLFinding {
    package let works: Bool
    /// Of the server too: not fit for a terminal.
    package let words: String

    /// Asks the server, and waits for it. From no loop.
    package init(_ url: PostgreSQLURL) {
        do throws(StoreError) {
            words = try PostgreSQLProbe(PostgreSQLServer(url)).look()
            works = true
        } catch {
            words = "\(error)"
            works = false
        }
    }
}
