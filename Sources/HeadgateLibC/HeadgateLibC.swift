// The system's C library under one name. All other files import this module, and are the same on every system.
#if canImport(Darwin)
    @_exported public import Darwin
#elseif canImport(Musl)
    @_exported public import Musl
#else
    @_exported public import Glibc
#endif

/// Result of `opendir`.
#if canImport(Darwin)
    package typealias FolderStream = UnsafeMutablePointer<DIR>
#else
    package typealias FolderStream = OpaquePointer
#endif

extension stat {
    /// Time of the last change of the contents.
    package var modified: timespec {
        #if canImport(Darwin)
            st_mtimespec
        #else
            st_mtim
        #endif
    }

    /// Time of the last change of the contents, the owner or the mode.
    package var changed: timespec {
        #if canImport(Darwin)
            st_ctimespec
        #else
            st_ctim
        #endif
    }
}

/// Flags of `send` with which the end of a peer is an error and no signal. Without such a flag, the socket has
/// SO_NOSIGPIPE.
@inlinable package var sendFlags: Int32 {
    #if canImport(Darwin)
        0
    #else
        Int32(MSG_NOSIGNAL)
    #endif
}
