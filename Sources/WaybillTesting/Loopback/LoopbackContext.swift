import Foundation

/// The state that the threads of a server share.
struct LoopbackContext: Sendable {
    struct Connections: Sendable {
        var accepted = 0
        var open = 0
    }

    let url: URL
    let handler: RequestHandler
    let log: RequestLog
    let limits: LoopbackServer.Limits
    /// The most connections at once, each of which has a thread.
    let maximumConnections: Int
    /// A waker that is woken once and never reset, so that every thread that waits sees it.
    let stop: Waker
    let connections = Monitor(Connections())
}
