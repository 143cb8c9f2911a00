import Glibc

/// Where managed keys are: `keys.db` in the data folder.
enum ManagedKeyFile {
    /// Nil without a data folder.
    static func path(_ environment: [String: String]) -> String? {
        DataFolder.path(environment).map { $0 + "/keys.db" }
    }

    /// Whether keys are managed, or were.
    static func exists(_ environment: [String: String]) -> Bool {
        path(environment).map { access($0, F_OK) == 0 } ?? false
    }
}
