import HeadgateConfiguration
import Testing

@Suite struct LimitsConfigurationMemoryTests {
    @Test func ceilingHasTheBuffersOfAllConnectionsAndTheEventOfAStream() {
        #expect(
            LimitsConfiguration().memoryCeiling(connections: 10_000)
                == "their buffers take at most 5781 MiB, if every client is slow; "
                + "a stream holds up to 16 MiB more for the event that it is in")
        #expect(
            LimitsConfiguration(event: 1536 << 10).memoryCeiling(connections: 1)
                == "their buffers take at most 0 MiB, if every client is slow; "
                + "a stream holds up to 1536 KiB more for the event that it is in")
    }
}
