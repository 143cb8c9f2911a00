import HeadgateService

/// The folder for what chats keep: of this user alone.
enum ChatStateFolder {
    /// Nil where the environment names none.
    static var path: String? {
        let environment = ProcessEnvironment.current
        let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 + "/.local/state" : nil }
        let state = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home
        return state.map { $0 + "/headgate" }
    }
}
