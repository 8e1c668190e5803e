import Foundation
import WaybillStore

/// A process that writes offline and then synchronizes, for the tests that kill it.
enum SendingProcess {
    /// Performs writes, printing the name of each when it returns, and then sends them.
    ///
    /// - Parameter arguments: the folder of the store, the URL of the server, the number of the SQLite statement at
    ///   which the process kills itself while sending, and the names of the writes.
    /// - Returns: the exit status.
    static func run(_ arguments: [String]) async -> Int32 {
        guard arguments.count > 3, let url = URL(string: arguments[1]), let number = Int(arguments[2]) else {
            print("usage: storewriter send <folder> <URL> <number of a statement> <write>...")
            return 2
        }
        do {
            let library = KillingLibrary(killingAtStep: number)
            let store = try await Store(
                at: URL(fileURLWithPath: arguments[0]),
                settings: StoreSettings(sendsAutomatically: false),
                library: library.library
            )
            let shop = SendingShop(url)
            for write in arguments.dropFirst(3).compactMap(SendingScript.Write.init) {
                try await SendingScript.perform(write, in: store, shop)
                try FileHandle.standardOutput.write(contentsOf: Data("\(write.rawValue)\n".utf8))
            }
            library.begin()
            try await store.synchronize()
            await store.close()
            return 0
        } catch {
            try? FileHandle.standardError.write(contentsOf: Data("\(error)\n".utf8))
            return 1
        }
    }
}
