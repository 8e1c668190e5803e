#if os(Linux)
    import Foundation

    /// What a process has of the system.
    struct ProcessResources {
        /// How many descriptors the system's libraries open once for all, when they are used first.
        private static let openedOnce = 2

        /// Open files, sockets and the like.
        let descriptors: Int
        /// Threads on which a transport's transfers go on.
        let loops: Int

        static var now: Self {
            let files = FileManager.default
            let descriptors = (try? files.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
            let threads = (try? files.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
            let names = threads.compactMap {
                try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8)
            }
            // The system keeps 15 characters of a name.
            return Self(descriptors: descriptors.count, loops: names.count { $0.hasPrefix("Waybill.CurlLoo") })
        }

        /// Whether there is more than there was, and than is opened once for all.
        func exceeds(_ other: Self) -> Bool {
            descriptors > other.descriptors + Self.openedOnce || loops > other.loops
        }
    }
#endif
