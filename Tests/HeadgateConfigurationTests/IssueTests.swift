import HeadgateConfiguration
import Testing

@Suite struct IssueTests {
    @Test(arguments: [
        BadInput("lisen: x", "1:1: error: unknown key \"lisen\": did you mean \"listen\"?"),
        BadInput(
            "port: 80",
            "1:1: error: unknown key \"port\": the file takes listen, allowed_hosts, allowed_origins, public_url, "
                + "loops, upstreams, program_groups, models, keys, groups, budget, stored_responses, responses, compaction, "
                + "cache, streams, fault_injection, limits, record, log, prices, ledger, ledger_keep, counters, response_fields, "
                + "metrics, tracing, alerts, inspect"
        ),
        BadInput(
            "listen: 127.0.0.1",
            "1:9: error: listen: found \"127.0.0.1\", expected a port after the host, such as 127.0.0.1:8686"),
        BadInput(
            "listen: example.com:80",
            "1:9: error: listen: found \"example.com:80\", "
                + "expected an IP address or localhost as the host, such as 127.0.0.1:8686"),
        BadInput(
            "listen: [[a]]",
            "1:10: error: listen: found a list, expected an address such as 127.0.0.1:8686, "
                + "\"[::1]:8686\" (in quotes), localhost:8686, a port of this machine such as 8686, or "
                + "unix:/run/headgate.sock"),
        BadInput(
            "listen: 127.0.0.1:65536",
            "1:9: error: listen: found \"127.0.0.1:65536\", "
                + "the port is not a number from 1 to 65535"),
        BadInput(
            "responses: {store: 59s}",
            "1:20: error: store: found \"59s\", expected a duration such as 30m, 12h or 30d (from 1m to 365d)"),
        BadInput(
            "responses: {store: 1d, file: r.db}",
            "1:30: error: file: found \"r.db\", expected an absolute path of a file"),
        BadInput(
            "responses: {max_size: 1GiB}",
            "1:1: error: responses has no store: add store: and how long responses are kept, such as 1d"),
        BadInput("loops: two", "1:8: error: loops: found \"two\", expected a whole number from 1 to 1024"),
        BadInput("loops: 0", "1:8: error: loops: found \"0\", expected a whole number from 1 to 1024"),
        BadInput(
            "loops:\nlisten: 127.0.0.1:1", "1:7: error: loops: found nothing, expected a whole number from 1 to 1024"),
        BadInput(
            "loops: 99999999999999999999",
            "1:8: error: loops: found \"99999999999999999999\", expected a whole number from 1 to 1024"),
        BadInput(
            "limits: {body: 1MB}",
            "1:16: error: body: found \"1MB\", "
                + "expected a size such as 4096, 64KiB, 32MiB or 1GiB (from 1 byte to 16GiB)"),
        BadInput(
            "limits: {body: 999999999999999GiB}",
            "1:16: error: body: found \"999999999999999GiB\", "
                + "expected a size such as 4096, 64KiB, 32MiB or 1GiB (from 1 byte to 16GiB)"),
        BadInput(
            "limits: {event: 64KiB}",
            "1:17: error: event: found \"64KiB\", expected a size such as 512KiB or 16MiB (from 128KiB to 1GiB)"),
        BadInput(
            "limits: 5",
            "1:9: error: limits: found text, "
                + "expected a mapping of the keys body, body_memory, event, connections, connections_per_address, drain"
        ),
        BadInput(
            "keys: {a: b}",
            "1:7: error: keys: found a mapping, "
                + "expected a list of keys such as {name: laptop, sha256: ...}"),
        BadInput("upstreams: [a]", "1:12: error: upstreams: found a list, expected a mapping of names to upstreams"),
    ])
    func topLevelMistakes(_ input: BadInput) {
        input.check()
    }

    @Test(arguments: [
        BadInput("{}", "2:3: error: upstream \"u\" has no kind: add kind: and openai, anthropic, azure or on-device"),
        BadInput(
            "{kind: opnai}",
            "2:13: error: kind: found \"opnai\", expected openai, anthropic, azure, on-device "
                + "or a provider such as openrouter; did you mean \"openai\"?"
        ),
        BadInput(
            "{kind: openai}",
            "2:3: error: upstream \"u\" has no base_url: add one such as base_url: https://api.openai.com/v1"),
        BadInput(
            "{kind: openai, baseurl: \"https://h\"}",
            "2:21: error: unknown key \"baseurl\": did you mean \"base_url\"?"),
        BadInput(
            "{kind: on-device, api_key: k}",
            "2:24: error: api_key: "
                + "the built-in model (kind: on-device) takes none: remove it"),
        BadInput(
            "{kind: on-device, timeouts: {connect: 5}}",
            "2:44: error: connect: found \"5\", "
                + "expected a duration such as 250ms, 5s, 2m or 1h (above zero, at most 24h)"),
        BadInput(
            "{kind: on-device, timeouts: {silence: 0s}}",
            "2:44: error: silence: found \"0s\", "
                + "expected a duration such as 250ms, 5s, 2m or 1h (above zero, at most 24h)"),
        BadInput(
            "{kind: openai, base_url: \"http://h\"}",
            "2:31: error: base_url: plain http is only for this machine "
                + "(127.0.0.1, [::1], localhost): write https:// for any other host, or allow it with plain_http: true"),
        BadInput(
            "{kind: openai, base_url: \"https://h\", api_key: \"\"}",
            "2:53: error: api_key: "
                + "the key is empty: set it, or remove it"),
        BadInput(
            "{kind: openai, base_url: \"https://h\", headers: {Host: x}}",
            "2:54: error: header \"Host\": "
                + "the gateway takes it from base_url: set the host there"),
        BadInput(
            "{kind: openai, base_url: \"https://h\", headers: {authorization: x}}",
            "2:54: error: "
                + "header \"authorization\": the gateway sets it from api_key: put the key there"),
        BadInput(
            "{kind: openai, base_url: \"https://h\", headers: {Transfer-Encoding: x}}",
            "2:54: error: "
                + "header \"Transfer-Encoding\": it describes the request body, which the gateway frames itself: "
                + "remove it"
        ),
        BadInput(
            "{kind: openai, base_url: \"https://h\", headers: {\"a b\": x}}",
            "2:54: error: header \"a b\": "
                + "not a header name: write letters, digits and '-', such as Client-Id"),
        BadInput(
            "{kind: openai, base_url: \"https://h\", headers: {A: \"x\\r\\ny\"}}",
            "2:57: error: header \"A\": "
                + "the value holds a line break or another control character: remove it"),
        BadInput(
            "{kind: openai, base_url: \"https://h\", headers: {A: x, a: y}}",
            "2:60: error: header \"a\": "
                + "it is already set (the case of header names does not count): keep one of them"),
    ])
    func upstreamMistakes(_ input: BadInput) {
        BadInput("upstreams:\n  u: " + input.text, input.issue).check()
    }

    @Test(arguments: [
        BadInput(
            "fast: opnai",
            "1:16: error: model \"fast\": found text, expected a mapping, "
                + "even for the upstream alone: write {upstream: NAME}"),
        BadInput(
            "fast: {upstream: on-devise}",
            "1:27: error: upstream: found \"on-devise\", "
                + "no upstream has this name: did you mean \"on-device\"?"),
        BadInput(
            "fast: {upstream: x}",
            "1:27: error: upstream: found \"x\", "
                + "no upstream has this name: expected one of \"on-device\""),
        BadInput("fast: {}", "1:10: error: model \"fast\" has no upstream: add upstream: NAME"),
        BadInput(
            "a*b: {upstream: on-device}",
            "1:10: error: model \"a*b\": "
                + "'*' may only be the last character of a pattern, such as \"gpt-*\", or stand alone"),
        BadInput(
            "\"a\\nb\": {upstream: on-device}",
            "1:10: error: model \"a\\u{a}b\": "
                + "expected a model name of 1 to 256 bytes without control characters"),
        BadInput(
            "\"${A}\": {upstream: on-device}",
            "1:10: error: model \"${A}\": "
                + "variables are only read in values: write the name out"),
        BadInput(
            "a: {upstream: on-device, model: \"*\"}",
            "1:42: error: model: found \"*\", expected the one name "
                + "that the upstream knows, without '*'; leave it out to pass the name on"),
    ])
    func modelMistakes(_ input: BadInput) {
        BadInput("models: {" + input.text + "}", input.issue).check()
    }

    @Test(arguments: [
        BadInput("{sha256: \(digest)}", "3:3: error: a key has no name: add name: laptop"),
        BadInput("{name: b}", "3:3: error: a key has no sha256: add sha256: and \(shape)"),
        BadInput("{name: b, sha256: sk-plain}", "3:21: error: sha256: expected \(shape)"),
        BadInput(
            "{name: b, sha256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855}",
            "3:21: error: sha256: this is the SHA-256 of an empty text, so that no key was set where it was made: "
                + "make it again with \(command), or make a new key with 'headgate key new'"),
        BadInput(
            "{name: a, sha256: \(digest)}",
            "3:10: error: name: found \"a\", "
                + "taken by the key at line 2: choose another name"),
        BadInput(
            "{name: anyone, sha256: \(String(repeating: "b", count: 64))}",
            "3:10: error: name: found \"anyone\", \(withoutKey)"),
        BadInput(
            "{name: keyless, sha256: \(String(repeating: "b", count: 64))}",
            "3:10: error: name: found \"keyless\", \(withoutKey)"),
        BadInput(
            "{name: uid-1000, sha256: \(String(repeating: "b", count: 64))}",
            "3:10: error: name: found \"uid-1000\", \(withoutKey)"),
        BadInput(
            "{name: b, sha256: \(String(repeating: "A", count: 64))}",
            "3:21: error: sha256: "
                + "taken by the key at line 2: make a new key, or remove one"),
        BadInput(
            "{name: b, sha256: \(digest), expires: 2027-02-29}",
            "3:96: error: expires: found \"2027-02-29\", "
                + "expected a date such as 2027-01-01 or 2027-01-01T12:00:00Z"),
        BadInput(
            "{name: b, sha256: \(digest), models: []}",
            "3:95: error: models: "
                + "the list is empty: name a model, or remove it to allow all"),
        BadInput(
            "{name: b, sha256: \(digest), models: [a, \"*b\"]}",
            "3:99: error: models: found \"*b\", "
                + "'*' may only be the last character of a pattern, such as \"gpt-*\", or stand alone"),
    ])
    func keyMistakes(_ input: BadInput) {
        let first = "keys:\n- {name: a, sha256: \(String(repeating: "a", count: 64))}\n- "
        BadInput(first + input.text, input.issue).check()
    }

    private static let withoutKey =
        "callers without a key are called that in the log and in the usage ledger: choose another name"
    private static let digest = String(repeating: "b", count: 64)
    private static let command = "test -n \"$KEY\" && printf %s \"$KEY\" | sha256sum"
    private static let shape = "64 hexadecimal digits, the SHA-256 of the key: \(command)"

    @Test func allIssuesAreReportedInTheOrderOfTheFile() {
        let text = """
            loops: x
            models: {m: {upstream: nowhere}}
            limits: {connections: -1, bdy: 5}
            upstreams:
              a: {kind: openai, base_url: "ftp://h"}
            """
        #expect(
            issues(text).map { $0.split(separator: " ")[0] } == [
                "t.yaml:1:8:", "t.yaml:2:24:", "t.yaml:3:23:", "t.yaml:3:27:", "t.yaml:5:31:",
            ])
    }

    @Test func bodyMemoryCannotBeBelowTheBodyLimit() throws {
        let upstreams = "upstreams: {a: {kind: on-device}}"
        #expect(
            issues("\(upstreams)\nlimits: {body_memory: 16MiB}") == [
                "t.yaml:2:23: error: body_memory: less than 'body': no request body of that size could be read; make it larger"
            ])
        #expect(issues("\(upstreams)\nlimits: {body: 1MiB, body_memory: 1MiB}") == [])
        #expect(try parse("\(upstreams)\nlimits: {body: 1GiB}").limits.bodyMemory == 1 << 30)
    }

    @Test func severalUpstreamsRequireModels() {
        #expect(
            issues("upstreams:\n  a: {kind: on-device}\n  b: {kind: on-device}") == [
                "t.yaml:1:1: error: several upstreams and no models: add models to say which upstream serves which, "
                    + "such as models: {\"*\": {upstream: a}}"
            ])
    }

    @Test func aMisspeltSectionGivesOneIssueAndNoConsequences() {
        #expect(issues("upstreamz: {a: {kind: on-device}}\nmodels: {m: {upstream: a}}").count == 1)
        #expect(issues("upstreams: {a: {kind: on-device}, b: {kind: on-device}}\nmodls: {m: {upstream: a}}").count == 1)
    }

    @Test func terminalControlInNamesIsEscaped() {
        #expect(issues("\"\\e[31m\u{202E}\": 1").first?.contains("\"\\u{1b}[31m\\u{202e}\"") == true)
    }
}
