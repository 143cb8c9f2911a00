import HeadgateConfiguration
import Testing

@Suite struct LimitsConfigurationMemoryTests {
    @Test func ceilingHasTheBuffersOfAllConnectionsTheEventOfAStreamAndRequestBodies() {
        #expect(
            LimitsConfiguration().memoryCeiling(connections: 10_000)
                == "their buffers take at most 5781 MiB, if every client is slow; "
                + "a stream holds up to 16 MiB more for the event that it is in, and request bodies take at most 512 MiB in all"
        )
        #expect(
            LimitsConfiguration(body: 1024, bodyMemory: 1 << 30, event: 1536 << 10).memoryCeiling(connections: 1)
                == "their buffers take at most 0 MiB, if every client is slow; "
                + "a stream holds up to 1536 KiB more for the event that it is in, and request bodies take at most 1024 MiB in all"
        )
    }
}
