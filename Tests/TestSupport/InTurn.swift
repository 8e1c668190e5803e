import Testing

#if canImport(Glibc)
    import Glibc
#endif

/// The trait of suites that use sockets, processes, files or much memory: few of their test cases run at a time.
///
/// Swift Testing starts all tests of a package at once. Thousands of servers and stores would then share the processors
/// and the memory, and each would wait for the others.
///
/// The trait applies to each test case of a suite, those of nested suites included.
public struct InTurn: SuiteTrait, TestTrait, TestScoping {
    /// The number of test cases with this trait that run at a time, in all suites together.
    public static let width = 10

    private static let turns = Turns(width)
    private static let largeTurns = Turns(1)

    /// Whether the current task is in a turn already, because an outer suite has the trait too.
    @TaskLocal private static var isInTurn = false

    /// Whether a test case uses tens of megabytes, so that no other such test case runs beside it.
    let isLarge: Bool

    /// True: the trait applies to nested suites too.
    public var isRecursive: Bool { true }

    /// Has the C library return large blocks to the system, once, before the first test begins.
    public func prepare(for test: Test) async throws { LargeBlocks.returned }

    /// Runs a test case when it is its turn.
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        if Self.isInTurn { return try await function() }
        if isLarge { await Self.largeTurns.begin() }
        // Behind all others, each of these would wait until the end of the run.
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

/// Memory that freed bodies leave behind.
private enum LargeBlocks {
    /// Has glibc map blocks of 512 KiB and more on their own, unmap them when they are freed, and share two arenas
    /// among all threads.
    ///
    /// By default, glibc raises that bound to 32 MiB as soon as such a block is freed. Later bodies then lie between
    /// small blocks in the arenas of threads: after all tests, 670 MB of 790 MB in 16 arenas were free.
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

/// A number of turns, which waiting tasks get in the order in which they came, apart from those that are next.
private actor Turns {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) { free = count }

    /// Waits for a turn.
    ///
    /// - Parameter isNext: whether the task is before all that wait.
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
    /// Runs the test cases of a suite a few at a time, together with those of all suites with this trait.
    public static var inTurn: Self { Self(isLarge: false) }

    /// Runs the test cases of a suite in turn, and beside no other test case that uses tens of megabytes.
    public static var largeInTurn: Self { Self(isLarge: true) }
}
