import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Checks whether a server listens at an address by connecting to it.
enum Reachability {
    /// The maximum time to wait for a connection, in milliseconds.
    private static let patience: Int32 = 1000

    /// Returns whether the URL's host and port accept a connection within a second.
    static func accepts(connectionsTo url: URL) -> Bool {
        guard let host = url.host, let scheme = url.scheme else { return false }
        let port = url.port ?? (scheme == "https" ? 443 : 80)
        var hints = addrinfo()
        #if canImport(Glibc)
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
            hints.ai_socktype = SOCK_STREAM
        #endif
        var first: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, "\(port)", &hints, &first) == 0 else { return false }
        defer { freeaddrinfo(first) }
        return sequence(first: first) { $0?.pointee.ai_next }.prefix { $0 != nil }
            .contains { $0.map { connects(to: $0.pointee) } ?? false }
    }

    private static func connects(to address: addrinfo) -> Bool {
        let descriptor = socket(address.ai_family, address.ai_socktype, address.ai_protocol)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        if connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 { return true }
        guard errno == EINPROGRESS else { return false }
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&entry, 1, patience) == 1 else { return false }
        var code: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size) == 0 && code == 0
    }
}
