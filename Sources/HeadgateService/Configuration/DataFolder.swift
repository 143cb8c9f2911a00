import Glibc

/// Where a gateway keeps its own files.
package enum DataFolder {
    /// `$XDG_DATA_HOME/headgate`, else `~/.local/share/headgate`; nil where neither is known.
    package static func path(_ environment: [String: String]) -> String? {
        func folder(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        return (folder("XDG_DATA_HOME") ?? folder("HOME").map { $0 + "/.local/share" }).map { $0 + "/headgate" }
    }

    /// Makes a folder and those above it, with mode 0700.
    static func make(_ folder: String) {
        var made = ""
        for part in folder.split(separator: "/") {
            made += "/" + part
            mkdir(made, 0o700)
        }
    }
}
