import HeadgateApps
import HeadgateService

/// The apps that setup knows, and those of them that are installed on this machine.
struct AppList {
    let places: AppPlaces
    /// Address of the gateway; nil if it is unknown.
    let url: String?

    func show() {
        let found = KnownApp.all.filter { $0.isFound(places) }
        let others = KnownApp.all.filter { app in !found.contains { $0.name == app.name } }
        if found.isEmpty {
            announce("None of the apps that setup knows was found on this machine.")
        } else {
            announce("Found on this machine:")
            for line in TextTable(["APP", "", "NEXT"], found.map(row)).lines { announce("  \(line)") }
        }
        guard !others.isEmpty else { return }
        announce("\(found.isEmpty ? "It knows" : "Also known"): \(others.map(\.name).joined(separator: ", "))")
        announce("Show the settings of any: headgate setup APP")
    }

    private func row(_ app: KnownApp) -> [String] {
        let files = (try? app.files(.placeless(url: url), places)) ?? []
        let isSetUp = files.contains { file in
            guard let text = (try? SettingsFile(file.path))?.text else { return false }
            return file.edit.isPresent(in: text)
        }
        let next =
            isSetUp
            ? "set up; undo: headgate setup \(app.name) --undo"
            : "headgate setup \(app.name)\(files.isEmpty ? "" : " --write")"
        return [app.name, app.title, next]
    }
}
