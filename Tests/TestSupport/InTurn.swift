import Testing

#if canImport(Glibc)
    import Glibc
#endif

/// A trait for tests that use sockets, processes, files or much memory, which limits how many of their cases run at
/// once.
///
/// Swift Testing starts all tests of a package at once. Thousands of servers and stores would then compete for
/// processors and memory, and slow each other down.
///
/// The trait applies to each test case of a suite, including those of nested suites.
public struct InTurn: SuiteTrait, TestTrait, TestScoping {
    /// The maximum number of test cases with this trait that run at once, across all suites.
    public static let width = 10

    private static let turns = Turns(width)
    private static let largeTurns = Turns(1)

    /// Whether the current task already has a turn because an outer suite has the trait too.
    @TaskLocal private static var isInTurn = false

    /// Whether a test case uses tens of megabytes, so that no other such test case runs at the same time.
    let isLarge: Bool

    /// True, because the trait applies to nested suites too.
    public var isRecursive: Bool { true }

    /// Configures the C library once, before the first test, to return large blocks to the system.
    public func prepare(for test: Test) async throws { LargeBlocks.returned }

    /// Runs a test case when a turn is free.
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        if Self.isInTurn { return try await function() }
        if isLarge { await Self.largeTurns.begin() }
        // At the end of the queue, large test cases would wait until the end of the run.
        await Self.turns.begin(isNext: isLarge)
        let result: Result<Void, any Error>
        do { result = .success(try await Self.$isInTurn.withValue(true, operation: function)) } catch {
            result = .failure(error)
        }
        await Self.turns.end()
        if isLarge { await Self.largeTurns.end() }
        try result.get()
    }
}

/// The memory that freed bodies leave behind.
private enum LargeBlocks {
    /// Configures glibc to map blocks of 512 KiB or more separately, to unmap them when they are freed, and to share
    /// two arenas among all threads.
    ///
    /// By default, glibc raises that threshold to as much as 32 MiB when such a block is freed. Later bodies are then
    /// allocated among small blocks in the threads' arenas: after all tests, 670 of the 790 MB in 16 arenas were free.
    static let returned: Void = {
        #if canImport(Glibc)
            typealias Setter = @convention(c) (Int32, Int32) -> Int32
            let mmapThreshold: Int32 = -3
            let arenaMaximum: Int32 = -8
            guard let symbol = dlsym(nil, "mallopt") else { return }
            let set = unsafeBitCast(symbol, to: Setter.self)
            _ = set(mmapThreshold, 512 * 1024)
            _ = set(arenaMaximum, 2)
        #endif
    }()
}

/// A limited number of turns, which waiting tasks get in order of arrival, except for tasks that go first.
private actor Turns {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) { free = count }

    /// Waits for a turn.
    ///
    /// - Parameter isNext: whether the task goes before all waiting tasks.
    func begin(isNext: Bool = false) async {
        guard free == 0 else {
            free -= 1
            return
        }
        await withCheckedContinuation { waiting.insert($0, at: isNext ? 0 : waiting.endIndex) }
    }

    func end() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}

extension Trait where Self == InTurn {
    /// Limits how many test cases of a suite run at once, together with those of all other suites with this trait.
    public static var inTurn: Self { Self(isLarge: false) }

    /// Like ``inTurn``, but without any other test case that uses tens of megabytes at the same time.
    public static var largeInTurn: Self { Self(isLarge: true) }
}
