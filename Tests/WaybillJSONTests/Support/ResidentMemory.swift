#if os(Linux)
    import Foundation

    /// The memory of the process that is in use, by what the kernel says.
    enum ResidentMemory {
        /// Whether freed memory is given back, which the address sanitizer puts off.
        static var isExact: Bool { dlsym(dlopen(nil, RTLD_NOW), "__asan_init") == nil }

        static func byteCount() throws -> Int {
            let sizes = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
            return (sizes.count > 1 ? Int(sizes[1]) ?? 0 : 0) * sysconf(Int32(_SC_PAGESIZE))
        }
    }
#endif
