import Foundation

/// A thread of its own for work that blocks, or that must not use memory that a thread kept from earlier work.
enum OwnThread {
    /// Does the work on a new thread.
    static func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let thread = Thread { continuation.resume(with: Result { try work() }) }
            thread.stackSize = 8 << 20
            thread.start()
        }
    }
}
