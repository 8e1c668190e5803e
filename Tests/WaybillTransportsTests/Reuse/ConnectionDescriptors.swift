#if os(Linux)
    import Foundation

    /// This process's descriptors of connections to a port.
    enum ConnectionDescriptors {
        static func to(_ url: URL) -> [Int32] {
            let port = UInt16(url.port ?? 0)
            let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
            return names.compactMap(Int32.init).filter { peerPort($0) == port }
        }

        private static func peerPort(_ descriptor: Int32) -> UInt16? {
            var address = sockaddr_in()
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let result = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &size) }
            }
            guard result == 0, address.sin_family == sa_family_t(AF_INET) else { return nil }
            return UInt16(bigEndian: address.sin_port)
        }
    }
#endif
