import HeadgateConfiguration
import HeadgateLibC
import HeadgateTesting
import Testing

@testable import HeadgateService

@Suite struct ConfigurationPlaceTests {
    private let home: TemporaryFolder
    private let system: String

    init() throws {
        home = try TemporaryFolder()
        system = home.path + "/etc/headgate.yaml"
        for folder in [".config", ".config/headgate", "xdg", "xdg/headgate", "etc"] {
            mkdir("\(home.path)/\(folder)", 0o755)
        }
    }

    private func write(_ path: String, _ text: String = "loops: 1\n") throws {
        try home.file(path, text)
        chmod("\(home.path)/\(path)", 0o644)
    }

    private func place(_ environment: [String: String], option: String? = nil) -> ConfigurationPlace? {
        ConfigurationPlace(option: option, environment: environment, system: system)
    }

    @Test func mostSpecificConfigurationSourceIsRead() throws {
        var environment = ["HOME": home.path]
        #expect(place(environment) == nil)
        try write("etc/headgate.yaml")
        #expect(place(environment)?.path == system)
        try write(".config/headgate/headgate.yaml")
        #expect(place(environment)?.path == home.path + "/.config/headgate/headgate.yaml")
        environment["XDG_CONFIG_HOME"] = home.path + "/xdg"
        #expect(place(environment)?.path == system)
        try write("xdg/headgate/headgate.yaml")
        #expect(place(environment)?.path == home.path + "/xdg/headgate/headgate.yaml")
        #expect(place(environment)?.naming == .found)
        environment["HEADGATE_CONFIG"] = "/v.yaml"
        #expect(place(environment)?.path == "/v.yaml" && place(environment)?.naming == .variable)
        #expect(place(environment, option: "o.yaml")?.path == "o.yaml")
    }

    @Test func emptyVariableDisablesTheSearch() throws {
        try write("etc/headgate.yaml")
        #expect(place(["HEADGATE_CONFIG": ""]) == nil)
        #expect(place([:])?.path == system)
    }

    @Test func relativeEnvironmentFoldersAreIgnored() {
        #expect(ConfigurationPlace.userPath(["XDG_CONFIG_HOME": "x", "HOME": "y"]) == nil)
        #expect(ConfigurationPlace.userPath([:]) == nil)
    }

    @Test func recordingsNeedNoFile() throws {
        try write("etc/headgate.yaml")
        let source = ConfigurationSource(file: nil, replaying: "/cassettes", environment: [:], system: system)
        #expect(source.path == nil)
    }

    @Test(arguments: [0o664, 0o646, 0o777])
    func fileWritableByOthersIsRefusedUnlessNamed(mode: UInt32) throws {
        try write("etc/headgate.yaml")
        chmod(system, mode)
        let source = ConfigurationSource(file: nil, environment: [:], system: system)
        for attempt in [{ _ = try source.load() }, { _ = try source.explain() }] {
            let complaint = #expect(throws: Complaint.self) { try attempt() }
            #expect(complaint?.exitCode == .configuration)
            #expect(complaint?.message.contains("others may write to the file") == true)
        }
        #expect(try ConfigurationSource(file: system, environment: [:], system: "/none").load().loops == 1)
    }

    @Test func folderWritableByOthersIsRefused() throws {
        try write("etc/headgate.yaml")
        symlink(system, home.path + "/.config/headgate/headgate.yaml")
        let source = ConfigurationSource(file: nil, environment: ["HOME": home.path], system: "/none")
        #expect(try source.load().loops == 1)
        for folder in ["etc", ".config/headgate"] {
            chmod("\(home.path)/\(folder)", 0o775)
            let complaint = #expect(throws: Complaint.self) { try source.load() }
            #expect(complaint?.message.contains("its folder \(home.path)/\(folder)") == true)
            chmod("\(home.path)/\(folder)", 0o755)
        }
        #expect(try source.load().loops == 1)
    }

    @Test(.enabled(if: geteuid() == 0)) func fileOfAnotherUserIsRefused() throws {
        try write("etc/headgate.yaml")
        chown(system, 12345, 0)
        let complaint = #expect(throws: Complaint.self) {
            try ConfigurationSource(file: nil, environment: [:], system: system).load()
        }
        #expect(complaint?.message.contains("belongs to user 12345") == true)
    }

    @Test func danglingLinkIsReported() {
        symlink("/nowhere", system)
        let complaint = #expect(throws: Complaint.self) {
            try ConfigurationSource(file: nil, environment: [:], system: system).load()
        }
        #expect(complaint?.message.contains("cannot be read") == true)
    }
}
