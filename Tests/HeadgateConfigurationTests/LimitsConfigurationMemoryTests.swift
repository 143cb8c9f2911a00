import HeadgateConfiguration
import Testing

@Suite struct LimitsConfigurationMemoryTests {
    @Test func ceilingHasTheBuffersOfAllConnectionsTheEventOfAStreamAndRequestBodies() {
        #expect(
            LimitsConfiguration().memoryCeiling(connections: 10_000)
                == "at most 5781 MiB for the buffers of all connections, "
                + "512 MiB for request bodies together, and 16 MiB for the event of each stream in flight"
        )
        #expect(
            LimitsConfiguration(body: 1024, bodyMemory: 1 << 30, event: 1536 << 10).memoryCeiling(connections: 1)
                == "at most 0 MiB for the buffers of all connections, "
                + "1024 MiB for request bodies together, and 1536 KiB for the event of each stream in flight"
        )
    }
}
