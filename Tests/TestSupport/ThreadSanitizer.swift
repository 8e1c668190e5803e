import Foundation

/// The thread sanitizer, which makes everything about twenty times as slow.
package enum ThreadSanitizer {
    /// Whether the tests run under the sanitizer, in which case its functions are loaded.
    package static let isOn = dlsym(dlopen(nil, RTLD_NOW), "__tsan_init") != nil
}
