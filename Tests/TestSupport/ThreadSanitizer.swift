import Foundation

/// The thread sanitizer, under which everything takes about twenty times as long.
package enum ThreadSanitizer {
    /// Whether the tests run under the sanitizer: then its functions are in the process.
    package static let isOn = dlsym(dlopen(nil, RTLD_NOW), "__tsan_init") != nil
}
