#if os(Linux)
    import Foundation

    /// The system resources of a process.
    struct ProcessResources {
        /// The number of descriptors that system libraries open on first use and keep.
        private static let openedOnce = 2

        /// The number of open file descriptors.
        let descriptors: Int
        /// The number of threads that run libcurl transfers.
        let loops: Int

        static var now: Self {
            let files = FileManager.default
            let descriptors = (try? files.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
            let threads = (try? files.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
            let names = threads.compactMap {
                try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8)
            }
            return Self(descriptors: descriptors.count, loops: names.count { $0.hasPrefix("Waybill.Curl") })
        }

        /// Returns whether more resources are in use than before, beyond those that libraries keep.
        func exceeds(_ other: Self) -> Bool {
            descriptors > other.descriptors + Self.openedOnce || loops > other.loops
        }
    }
#endif
