import HeadgateGateway
import HeadgateRelay
import Testing

@testable import HeadgateStores

/// Eviction order of a folder's files.
@Suite struct CacheFolderIndexTests {
    private func key(_ number: UInt8) -> CacheKey { CacheKey(KeyDigest(of: [number])) }

    private func file(_ number: UInt8, size: Int = 4096, at time: Int64 = 0) -> CacheFolderIndex.File {
        CacheFolderIndex.File(key: key(number), size: size, usedAt: time)
    }

    private func index(_ files: CacheFolderIndex.File..., limit: Int) -> CacheFolderIndex {
        var index = CacheFolderIndex(limit: limit)
        for file in files { index.find(file) }
        return index
    }

    @Test func initialFilesAreEvictedByLastUseOnceAllAreKnown() {
        var index = index(file(1, at: 30), file(2, at: 10), file(3, at: 20), limit: 8192)
        index.use(file(4, at: 40))
        #expect(index.takeSuperfluous(at: 40).isEmpty && index.size == 4 * 4096)
        index.finishFinding()
        #expect(index.takeSuperfluous(at: 40) == [key(2), key(3)] && index.size == 8192 && index.count == 2)
    }

    @Test func entriesUsedSinceTheStartStay() {
        var index = index(file(1, at: 1), file(2, at: 2), limit: 4096)
        index.use(file(1, at: 9))
        index.finishFinding()
        #expect(index.takeSuperfluous(at: 9) == [key(2)] && index.count == 1 && index.size == 4096)
    }

    @Test func fileTakesWholeBlocks() {
        var index = index(limit: 8192)
        index.finishFinding()
        index.use(file(1, size: 1))
        index.use(file(2, size: 4097))
        #expect(index.size == 3 * 4096 && index.takeSuperfluous(at: 0) == [key(1)])
        index.use(file(2, size: 1))
        #expect(index.size == 4096)
        index.remove(key(2))
        index.remove(key(2))
        #expect(index.size == 0)
    }

    @Test func expiredEntriesAreRemoved() {
        var index = index(file(1, at: 0), file(2, at: 1), limit: 1 << 20)
        index.finishFinding()
        #expect(index.takeSuperfluous(at: 24 * 3600).isEmpty)
        #expect(index.takeSuperfluous(at: 24 * 3600 + 1) == [key(1)])
    }

    @Test func indexTakesNoMoreThanItsMemory() {
        var index = CacheFolderIndex(limit: 1 << 30, memory: 2 * CacheFolderIndex.weight)
        index.finishFinding()
        for number in UInt8(1)...4 { index.use(file(number, at: Int64(number))) }
        #expect(index.takeSuperfluous(at: 4) == [key(1), key(2)] && index.count == 2)
        index.memory = CacheFolderIndex.weight
        #expect(index.takeSuperfluous(at: 4) == [key(3)])
    }

    @Test func folderOfTheStartIsKnownWithinTheMemoryToo() {
        var index = CacheFolderIndex(limit: 1 << 30, memory: 4 * CacheFolderIndex.weight)
        index.use(file(1, at: 200))
        var gone: Set<CacheKey> = []
        for number in UInt8(1)...100 {
            index.find(file(number, at: Int64(number)))
            gone.formUnion(index.takeSuperfluous(at: 200))
            #expect(index.count <= 6)
        }
        index.finishFinding()
        gone.formUnion(index.takeSuperfluous(at: 200))
        #expect(gone == Set((UInt8(2)...97).map(key)) && index.count == 4)
    }
}
