#if os(Linux) || os(macOS)
    import Foundation

    extension Process {
        /// Waits on a separate thread until the process exits.
        ///
        /// `waitUntilExit()` would block a thread of the pool. On a machine with two processors, two such waits block
        /// every task, including those that the process depends on.
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
