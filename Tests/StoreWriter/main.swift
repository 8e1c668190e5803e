import Foundation
import WaybillStore

// A process that does the writes of a day, for the tests that kill it: its arguments are the path of the file, the
// number of the call of SQLite at which it kills itself, and whether that is before the call or after it. It prints a
// line for each write that has returned.
private let arguments = CommandLine.arguments
guard arguments.count == 4, let number = Int(arguments[2]) else {
    print("usage: storewriter <path> <number of a call> before|after")
    exit(2)
}

/// Counts calls; all but the last of them are made by one thread after the other.
private final class CallCounter: @unchecked Sendable {
    private let lock = NSLock()
    private var count = 0

    func next() -> Int {
        lock.withLock {
            count += 1
            return count
        }
    }
}

private let counter = CallCounter()
private let isAfter = arguments[3] == "after"
private let library = SQLiteLibrary { _, make in
    let isLast = counter.next() == number
    if isLast, !isAfter { kill(getpid(), SIGKILL) }
    let code = make()
    if isLast { kill(getpid(), SIGKILL) }
    return code
}

do {
    let database = try await Database.open(
        at: URL(fileURLWithPath: arguments[1]),
        library: library,
        prepare: ScriptedDay.prepare
    )
    for write in ScriptedDay.writes {
        do {
            try await database.write { (transaction) throws(StoreError) in
                try ScriptedDay.perform(write, in: transaction)
            }
        } catch {
            guard write == .fail else { throw error }
        }
        try FileHandle.standardOutput.write(contentsOf: Data("done\n".utf8))
    }
    await database.close()
} catch {
    try? FileHandle.standardError.write(contentsOf: Data("\(error)\n".utf8))
    exit(1)
}
