import Foundation

/// The sanitizer of threads, under which everything takes some twenty times as long.
enum ThreadSanitizer {
    /// Whether the tests run under it: then its functions are in the process.
    static let isOn = dlsym(dlopen(nil, RTLD_NOW), "__tsan_init") != nil
}
