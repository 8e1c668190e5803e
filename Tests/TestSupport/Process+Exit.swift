#if os(Linux) || os(macOS)
    import Foundation

    extension Process {
        /// Waits until the process has ended, on a thread of its own.
        ///
        /// `waitUntilExit()` would hold a thread of the pool: two such waits stop every task of a machine with two
        /// processors, also those that the process waits for.
        package func exit() async {
            await withCheckedContinuation { ended in
                Thread.detachNewThread {
                    self.waitUntilExit()
                    ended.resume()
                }
            }
        }
    }
#endif
