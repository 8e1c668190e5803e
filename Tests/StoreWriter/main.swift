import Foundation
import WaybillStore

// A process that performs scripted writes, for the tests that kill it. Its arguments are the path of the file, the
// number of the SQLite call at which it kills itself, and whether that is before or after the call. It prints a line
// after each write. With `send` as its first argument, it sends writes: see `SendingProcess`. With `version`, it is
// one of two versions of a program: see `VersionedProgram`.
private let arguments = CommandLine.arguments
if arguments.dropFirst().first == "send" {
    exit(await SendingProcess.run(Array(arguments.dropFirst(2))))
}
if arguments.dropFirst().first == "version" {
    exit(await VersionedProgram.run(Array(arguments.dropFirst(2))))
}
guard arguments.count == 4, let number = Int(arguments[2]) else {
    print("usage: storewriter <path> <number of a call> before|after")
    exit(2)
}

private let library = KillingLibrary(killingAt: number, isAfter: arguments[3] == "after").library

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
