import Foundation

/// The thread sanitizer, under which everything takes about twenty times as long.
enum ThreadSanitizer {
    /// Whether the tests run under the sanitizer: then its functions are in the process.
    static let isOn = dlsym(dlopen(nil, RTLD_NOW), "__tsan_init") != nil
}
