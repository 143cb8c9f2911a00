import Testing

@testable import HeadgateApps

@Suite struct KnownAppTests {
    private func file(of each: AppCase) throws -> KnownApp.File {
        let app = try #require(KnownApp.named(each.app))
        let path = "\(AppCase.home)/\(each.path)"
        let places = try #require(AppCase.places(existing: [path]))
        return try #require(try app.files(AppCase.settings, places).first { $0.path == path })
    }

    @Test(arguments: AppCase.all) func settingsAreAddedToThoseOfTheUser(each: AppCase) throws {
        let file = try file(of: each)
        let edited = try file.edit.applying(to: each.before, app: each.app)
        #expect(edited == each.after)
        #expect(try file.edit.applying(to: edited, app: each.app) == edited)
        #expect(file.edit.isPresent(in: edited) && !file.edit.isPresent(in: each.before))
        #expect(file.holdsKey == each.holdsKey && edited.contains("hg-key") == each.holdsKey)
    }

    @Test(arguments: AppCase.all) func undoRestoresEveryByte(each: AppCase) throws {
        let file = try file(of: each)
        let edited = try file.edit.applying(to: each.before, app: each.app)
        #expect(try file.edit.removing(from: edited, original: each.before, app: each.app) == each.before)
        // A later change of model or address does not matter.
        let other = AppSettings(
            url: "http://localhost:1", isLoopback: true, model: "other", keySource: .unknown, key: "x")
        let places = try #require(AppCase.places(existing: [file.path]))
        let current = try #require(KnownApp.named(each.app)).files(other, places)
        let edit = try #require(current.isEmpty ? nil : current.first { $0.path == file.path }?.edit)
        #expect(try edit.removing(from: edited, original: each.before, app: each.app) == each.before)
    }

    @Test(arguments: AppCase.all) func newFileIsRemovedWhole(each: AppCase) throws {
        let file = try file(of: each)
        let made = try file.edit.applying(to: "", app: each.app)
        #expect(try file.edit.applying(to: made, app: each.app) == made)
        #expect(file.edit.isBlank(try file.edit.removing(from: made, original: nil, app: each.app)))
    }

    @Test(arguments: AppCase.all) func damagedFileIsRefused(each: AppCase) throws {
        let file = try file(of: each)
        #expect(throws: EditRefusal.self) { try file.edit.applying(to: each.damaged, app: each.app) }
    }

    @Test func everyAppWithFilesHasACase() throws {
        let places = try #require(AppCase.places())
        for app in KnownApp.all {
            let paths = try app.files(AppCase.settings, places).map(\.path)
            let cases = AppCase.all.filter { $0.app == app.name }.map { "\(AppCase.home)/\($0.path)" }
            #expect(paths == cases, "\(app.name)")
        }
    }

    @Test func namesAreDistinct() {
        let names = KnownApp.all.flatMap { [$0.name] + $0.aliases }
        #expect(Set(names).count == names.count)
        #expect(KnownApp.named("Claude")?.name == "claude-code" && KnownApp.named("emacs") == nil)
    }

    @Test(arguments: [
        ("codex", ["CODEX_HOME": "/c"], "/c/config.toml"),
        ("claude-code", ["CLAUDE_CONFIG_DIR": "/c/"], "/c/settings.json"),
        ("opencode", ["OPENCODE_CONFIG": "/c/my.json"], "/c/my.json"),
        ("opencode", ["XDG_CONFIG_HOME": "/x"], "/x/opencode/opencode.json"),
        ("continue", ["CONTINUE_GLOBAL_DIR": "/c"], "/c/config.yaml"),
        ("zed", ["XDG_CONFIG_HOME": "/x"], "/x/zed/settings.json"),
        ("llm", ["LLM_USER_PATH": "/c"], "/c/extra-openai-models.yaml"),
        ("raycast", ["XDG_CONFIG_HOME": "/x"], "/home/ada/.config/raycast/ai/providers.yaml"),
        ("codex", ["CODEX_HOME": "relative"], "/home/ada/.codex/config.toml"),
    ])
    func variablesOfTheAppCount(name: String, variables: [String: String], path: String) throws {
        let app = try #require(KnownApp.named(name))
        let places = try #require(AppCase.places(variables))
        #expect(try app.files(AppCase.settings, places).first?.path == path)
    }

    @Test func macOSHasItsOwnFolders() throws {
        let places = try #require(AppPlaces(environment: ["HOME": "/Users/ada"], isDarwin: true) { _ in false })
        let path = try #require(KnownApp.vsCode.files(AppCase.settings, places).first?.path)
        #expect(path == "/Users/ada/Library/Application Support/Code/User/chatLanguageModels.json")
    }

    @Test func homeIsNeeded() {
        #expect(AppPlaces(environment: [:]) { _ in true } == nil)
        #expect(AppPlaces(environment: ["HOME": "."]) { _ in true } == nil)
    }

    @Test func appIsFoundByItsProgramOrItsFolder() throws {
        let codex = try #require(KnownApp.named("codex"))
        let path = ["PATH": "/bin:/opt/bin"]
        #expect(codex.isFound(try #require(AppCase.places(path, existing: ["/opt/bin/codex"]))))
        #expect(codex.isFound(try #require(AppCase.places(existing: ["/home/ada/.codex"]))))
        #expect(!codex.isFound(try #require(AppCase.places(path))))
    }

    @Test func keylessGatewayNeedsNoVariable() throws {
        let settings = AppSettings(
            url: "http://127.0.0.1:8686", isLoopback: true, model: "fast", keySource: .notNeeded, key: "none-needed")
        let places = try #require(AppCase.places())
        for app in KnownApp.all {
            for file in try app.files(settings, places) {
                let text = try file.edit.applying(to: "", app: app.name)
                #expect(!file.holdsKey && !text.contains("HEADGATE_KEY") && !text.contains("{file:"), "\(app.name)")
            }
            #expect(!app.steps(settings).isEmpty)
            let insists = ["open-webui", "zed"].contains(app.name)
            #expect(insists || !app.steps(settings).joined().contains("export "), "\(app.name)")
        }
    }

    @Test func configurationUnreadableToContinueIsRefused() throws {
        let places = try #require(AppCase.places(existing: ["/home/ada/.continue/config.json"]))
        #expect(throws: EditRefusal.self) { try KnownApp.continueDev.files(AppCase.settings, places) }
    }

    @Test func commentedFileOfOpenCodeIsFound() throws {
        let places = try #require(AppCase.places(existing: ["/home/ada/.config/opencode/opencode.jsonc"]))
        #expect(try KnownApp.openCode.files(AppCase.settings, places).first?.path.hasSuffix(".jsonc") == true)
    }

    @Test func cursorSetupWarnsThatItsServersCannotReachTheGateway() {
        let lines = KnownApp.cursor.steps(AppCase.settings).joined(separator: "\n")
        #expect(lines.contains("cannot reach http://127.0.0.1:8686") && lines.contains("allowed_hosts"))
        let open = AppSettings(
            url: "https://llm.example.com", isLoopback: false, model: "fast", keySource: .variable, key: "k")
        let form = KnownApp.cursor.steps(open).joined(separator: "\n")
        #expect(form.contains("https://llm.example.com/v1") && !form.contains("cannot"))
    }

    @Test(arguments: KnownApp.all.map(\.name)) func keyIsInNoStep(name: String) throws {
        let steps = try #require(KnownApp.named(name)).steps(AppCase.settings)
        #expect(!steps.joined().contains("hg-key"))
    }
}
