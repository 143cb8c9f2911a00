import HeadgateConfiguration
import HeadgateTesting
import Testing

@testable import HeadgateService

@Suite struct ConfigurationSourceTests {
    @Test func namedFileComesBeforeTheEnvironments() {
        let environment = ["HEADGATE_CONFIG": "/etc/b.yaml"]
        #expect(ConfigurationSource(file: "/etc/a.yaml", environment: environment).path == "/etc/a.yaml")
        #expect(ConfigurationSource(file: nil, environment: environment).path == "/etc/b.yaml")
        #expect(ConfigurationSource(file: nil, environment: ["HEADGATE_CONFIG": ""]).path == nil)
    }

    @Test func everyIssueOfAFileIsALineOfTheComplaint() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("headgate.yaml", "lsten: 127.0.0.1:1\nloops: many\n")
        let error = #expect(throws: Complaint.self) {
            try ConfigurationSource(file: file, environment: [:]).load()
        }
        #expect(error?.exitCode == .configuration)
        let lines = error?.message.split(separator: "\n") ?? []
        #expect(lines.count == 2)
        #expect(lines.first?.hasPrefix("\(file):1:1: error: ") == true)
    }

    @Test func emptyFileIsFineAtTheStartAndNotUnderARunningGateway() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("headgate.yaml", "")
        let source = ConfigurationSource(file: file, environment: ["OPENAI_API_KEY": "sk-test"])
        #expect(try source.load().upstreams.map(\.name) == ["openai"])
        #expect(throws: Complaint.self) { try source.checkIsWritten() }
        try folder.file("headgate.yaml", "loops: 1\n")
        try source.checkIsWritten()
    }

    @Test func environmentAloneIsAlwaysWritten() throws {
        try ConfigurationSource(file: nil, environment: ["HEADGATE_CONFIG": ""]).checkIsWritten()
    }
}
