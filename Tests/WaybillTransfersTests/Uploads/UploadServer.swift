import Foundation
import Waybill

@testable import WaybillTesting

/// A server of resumable uploads on localhost, by tus or by the IETF draft, that misbehaves at chosen requests.
final class UploadServer: Sendable {
    /// The misbehavior at a request.
    enum Fault: Sendable, Hashable {
        /// The connection is closed when this many bytes of the content have been kept.
        case breaks(after: Int)
        /// Nothing more is kept when this many bytes of the content have been, and no response comes.
        case stalls(after: Int)
        /// The request has its effect, and the connection is closed without a response.
        case losesResponse
        /// The content is dropped, and the response is this one, its first line first.
        case responds([String])
        /// The request has its effect, and the response is this one.
        case handlesAndResponds([String])
    }

    /// A request that has come.
    struct Exchange: Sendable {
        let method: String
        let path: String
        let fields: HTTPFields
        /// The number of bytes of its content that have come.
        var count = 0

        /// The method, with the offset that the request names.
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
    ///   - faults: the misbehavior by the method and its number: `PATCH 2` is the second PATCH.
    ///   - hasInterimResponses: whether a 104 is sent for a creation with content, and for offsets.
    ///   - limits: the value of `Upload-Limit`.
    ///   - location: the value of `Location`, in which `{}` is the number of the upload.
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

    /// The uploads so far, in the order of their numbers.
    var uploads: [Upload] { state.withLock { state in state.uploads.sorted { $0.key < $1.key }.map(\.value) } }

    /// Removes the uploads, as a server does after a time.
    func removeUploads() { state.withLock { $0.uploads = [:] } }

    /// Adds a misbehavior.
    func misbehave(_ request: String, _ fault: Fault) { state.withLock { $0.faults[request] = fault } }

    /// The properties of a server that do not change.
    struct Rules: Sendable {
        let kind: String
        let hasInterimResponses: Bool
        let limits: String?
        let location: String
    }
}
