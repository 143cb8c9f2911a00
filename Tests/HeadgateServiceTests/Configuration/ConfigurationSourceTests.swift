import HeadgateConfiguration
import HeadgateTesting
import Testing

@testable import HeadgateService

@Suite struct ConfigurationSourceTests {
    @Test func namedFilePrecedesTheEnvironments() {
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

    @Test func filesAreNotedBeforeReadingEvenIfMissing() throws {
        let folder = try TemporaryFolder()
        let (secret, authorities) = (folder.path + "/key", folder.path + "/ca.pem")
        let file = try folder.file(
            "headgate.yaml",
            """
            upstreams:
              up: {kind: openai, base_url: "https://up.example/v1", api_key: {file: \(secret)}, ca: \(authorities)}
            models: {m: {upstream: up}}
            prices: prices.yaml
            listen: {address: "127.0.0.1:0", tls: {cert: relative.pem, key: \(secret)}}
            """)
        let sightings = FileSightings()
        #expect(throws: Complaint.self) {
            try ConfigurationSource(file: file, environment: [:]).check(noting: sightings)
        }
        let prices = folder.path + "/prices.yaml"
        #expect(Set(sightings.all.keys) == [file, secret, authorities, prices])
        #expect(sightings.all[file] == FileState(file) && sightings.all[secret] == FileState(secret))
        // A later write is a change.
        try folder.file("key", "sk-test")
        sightings.note(secret)
        #expect(sightings.all[secret] != FileState(secret))
    }

    @Test func emptyFileIsValidOnlyAtTheStart() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("headgate.yaml", "")
        let source = ConfigurationSource(file: file, environment: ["OPENAI_API_KEY": "sk-test"])
        #expect(try source.load().upstreams.map(\.name) == ["openai"])
        #expect(throws: Complaint.self) { try source.checkIsWritten() }
        try folder.file("headgate.yaml", "loops: 1\n")
        try source.checkIsWritten()
    }

    @Test func environmentOnlyConfigurationIsComplete() throws {
        try ConfigurationSource(file: nil, environment: ["HEADGATE_CONFIG": ""]).checkIsWritten()
    }
}
