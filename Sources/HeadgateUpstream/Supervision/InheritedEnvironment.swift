/// The variables of ours that a child gets: where programs and temporary files are, how text is written, which way the
/// network goes, and which devices compute. No provider's key is among them.
enum InheritedEnvironment {
    static let names: Set<String> = [
        "PATH", "HOME", "USER", "LOGNAME", "SHELL", "TZ", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "LD_LIBRARY_PATH",
        "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "SSL_CERT_FILE", "SSL_CERT_DIR",
        "REQUESTS_CA_BUNDLE", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy",
        "CUDA_HOME", "CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES",
        "HF_HOME", "HF_HUB_CACHE",
    ]

    /// - Parameter also: further names that this child may have.
    static func from(_ environment: [String: String], also: Set<String> = []) -> [String: String] {
        environment.filter { names.contains($0.key) || also.contains($0.key) }
    }
}
