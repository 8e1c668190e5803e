import Foundation
import Waybill

@testable import WaybillTesting

/// A localhost server for resumable uploads by tus or the IETF draft, which misbehaves at chosen requests.
final class UploadServer: Sendable {
    /// The misbehavior for a request.
    enum Fault: Sendable, Hashable {
        /// The connection closes after this many bytes of the content have been stored.
        case breaks(after: Int)
        /// After this many bytes of the content, nothing more is stored and no response is sent.
        case stalls(after: Int)
        /// The request takes effect, and the connection closes without a response.
        case losesResponse
        /// The content is dropped, and these lines are the response, status line first.
        case responds([String])
        /// The request takes effect, and these lines are the response.
        case handlesAndResponds([String])
    }

    /// A received request.
    struct Exchange: Sendable {
        let method: String
        let path: String
        let fields: HTTPFields
        /// The number of received content bytes.
        var count = 0

        /// The method, followed by the request's offset if present.
        var text: String { fields[.uploadOffset].map { "\(method) \($0)" } ?? method }
    }

    struct Upload: Sendable {
        var bytes = Data()
        var length: Int?
        var isComplete = false
    }

    struct State: Sendable {
        var exchanges: [Exchange] = []
        var uploads: [String: Upload] = [:]
        var faults: [String: Fault]
    }

    let url: URL
    private let state: Locked<State>
    private let stop: Waker
    private let thread: JoinableThread
    private let connections = Locked<[JoinableThread]>([])

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - kind: `tus` or `draft`.
    ///   - faults: The misbehavior by request. `PATCH 2` is the second PATCH.
    ///   - hasInterimResponses: Whether 104 responses are sent for a creation with content and for offsets.
    ///   - limits: The value of `Upload-Limit`.
    ///   - location: The value of `Location`, where `{}` stands for the upload's number.
    init(
        _ kind: String,
        _ faults: [String: Fault] = [:],
        hasInterimResponses: Bool = true,
        limits: String? = nil,
        location: String = "/uploads/{}"
    ) throws {
        let (listener, port) = try Socket.listening()
        guard let url = URL(string: "http://127.0.0.1:\(port)") else { throw URLError(.badURL) }
        self.url = url
        let (stop, state) = (try Waker(), Locked(State(faults: faults)))
        (self.stop, self.state) = (stop, state)
        let rules = Rules(kind: kind, hasInterimResponses: hasInterimResponses, limits: limits, location: location)
        thread = try JoinableThread { [connections] in
            while true {
                let ready = Descriptor.wait([(listener.descriptor, .reading), (stop.signal, .reading)])
                guard !ready[1] else { return }
                guard let number = try? listener.acceptConnection() else { continue }
                let connection = UploadConnection(Socket(number), stop, state, rules)
                if let thread = try? JoinableThread({ connection.run() }) {
                    connections.withLock { $0.append(thread) }
                }
            }
        }
    }

    deinit {
        stop.wake()
        thread.join()
        for thread in connections.withLock({ $0 }) { thread.join() }
    }

    /// The requests so far.
    var exchanges: [Exchange] { state.withLock { $0.exchanges } }

    /// The methods of the requests so far, with their offsets.
    var requests: [String] { exchanges.map(\.text) }

    /// The uploads so far, sorted by number.
    var uploads: [Upload] { state.withLock { state in state.uploads.sorted { $0.key < $1.key }.map(\.value) } }

    /// Removes all uploads, as a server does after they expire.
    func removeUploads() { state.withLock { $0.uploads = [:] } }

    /// Adds a misbehavior.
    func misbehave(_ request: String, _ fault: Fault) { state.withLock { $0.faults[request] = fault } }

    /// The server's immutable properties.
    struct Rules: Sendable {
        let kind: String
        let hasInterimResponses: Bool
        let limits: String?
        let location: String
    }
}
