import Foundation

/// The number of files and sockets that this program may have open.
enum OpenFiles {
    /// Raises the limit for some hundred connections, as far as the system allows; some systems begin with 256.
    static func makeRoom() {
        #if os(Linux)
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let resource = RLIMIT_NOFILE
        #endif
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < enough else { return }
        limit.rlim_cur = min(limit.rlim_max, enough)
        _ = setrlimit(resource, &limit)
    }

    private static let enough: rlim_t = 4096
}
