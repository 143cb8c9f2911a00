// The system's C library under one name. All other files import this module, and do not depend on the system.
#if canImport(Darwin)
    @_exported public import Darwin
#elseif canImport(Musl)
    @_exported public import Musl
#else
    @_exported public import Glibc
#endif

/// The result of `opendir`.
#if canImport(Darwin)
    package typealias FolderStream = UnsafeMutablePointer<DIR>
#else
    package typealias FolderStream = OpaquePointer
#endif

extension stat {
    /// The time of the last change of the contents.
    package var modified: timespec {
        #if canImport(Darwin)
            st_mtimespec
        #else
            st_mtim
        #endif
    }

    /// The time of the last change of the contents, the owner or the mode.
    package var changed: timespec {
        #if canImport(Darwin)
            st_ctimespec
        #else
            st_ctim
        #endif
    }
}

/// The flags of `send` that turn a closed connection into an error instead of a signal. On systems without such a flag,
/// sockets have SO_NOSIGPIPE.
@inlinable package var sendFlags: Int32 {
    #if canImport(Darwin)
        0
    #else
        Int32(MSG_NOSIGNAL)
    #endif
}
