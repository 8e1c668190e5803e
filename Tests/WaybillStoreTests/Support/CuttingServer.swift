#if os(Linux) || os(macOS)
    import Foundation
    import Waybill
    import WaybillTesting
    import storewriter

    /// A server that counts the effects of writes, and cuts or holds the next response to a write.
    final class CuttingServer: Sendable {
        /// The way in which a response is cut.
        enum Cut: Sendable {
            /// The connection is closed after a number of bytes.
            case closed(Int)
            /// The connection is reset after a number of bytes.
            case reset(Int)
            /// The rest of the response never arrives. The gate opens when the bytes have been sent.
            case held(Int, Gate)
        }

        struct State: Sendable {
            /// Item names and version numbers by path.
            var items: [String: (name: String, version: Int)] = [:]
            var lastID = 100
            var version = 1
            /// The responses to requests with keys.
            var keys: [String: Data] = [:]
            /// The applied writes in order.
            var applied: [String] = []
            /// The applied writes that changed something.
            var effects: [String] = []
            /// The cut of the next response to a write.
            ///
            /// Used once.
            var cut: Cut?
            /// The full length of the last response to be cut.
            var length = 0
        }

        /// Wraps the closure: each read of a bare closure from generic storage adds reabstraction thunks until a call
        /// overflows the stack.
        private struct Handler: Sendable {
            let respond: @Sendable (ReceivedRequest) -> StubResponse
        }

        private let lock = NSLock()
        private nonisolated(unsafe) var state = State()
        private nonisolated(unsafe) var loopback: LoopbackServer?
        private let keepsConnections: Bool
        let url: URL

        /// - Parameter keepsConnections: Whether connections are kept alive.
        init(keepsConnections: Bool = true) throws {
            let handler = Locked<Handler?>(nil)
            let server = try LoopbackServer { request in handler.withLock { $0 }?.respond(request) ?? .status(503) }
            url = server.url
            self.keepsConnections = keepsConnections
            loopback = server
            handler.withLock { $0 = Handler { [weak self] in self?.response(to: $0) ?? .status(503) } }
            reset()
        }

        deinit { loopback?.stop() }

        @discardableResult
        func change<Value>(_ body: (inout State) -> Value) -> Value { lock.withLock { body(&state) } }

        /// Resets the state to the script's items.
        func reset() {
            change { state in
                state = State()
                for item in SendingScript.items { state.items["/plain/\(item.id)"] = (item.name, 1) }
            }
        }

        /// Waits until no connection of the ended process is open.
        func waitForClosedConnections() async { await loopback?.waitForOpenConnections(atMost: 0) }

        /// Returns the items of a list.
        func items(of path: String) -> [SendingShop.Item] {
            change { $0.list(path) }
        }

        /// Marks a response whose connection will be closed, so that the client does not reuse the connection.
        private func ended(_ response: Data) -> Data {
            guard !keepsConnections, let end = response.firstRange(of: Data("\r\n".utf8)) else { return response }
            return response[..<end.upperBound] + Data("Connection: close\r\n".utf8) + response[end.upperBound...]
        }

        private func response(to request: ReceivedRequest) -> StubResponse {
            change { state in
                let wire = ended(state.respond(to: request))
                guard request.method != .get, let cut = state.cut else { return .raw(wire, closing: !keepsConnections) }
                (state.cut, state.length) = (nil, wire.count)
                switch cut {
                case .closed(let count): return .raw(wire.prefix(count))
                case .reset(let count): return .raw(wire).reset(.afterBodyBytes(count))
                case .held(let count, let gate):
                    return .raw(wire.prefix(count), closing: false).followed(by: [], opening: gate)
                }
            }
        }
    }

    extension CuttingServer.State {
        fileprivate func list(_ path: String) -> [SendingShop.Item] {
            var found: [SendingShop.Item] = []
            for (place, item) in items where place.hasPrefix(path + "/") {
                found.append(SendingShop.Item(id: Self.id(of: place), name: item.name))
            }
            return found.sorted { $0.id < $1.id }
        }

        fileprivate mutating func respond(to request: ReceivedRequest) -> Data {
            let path = request.path
            if request.method == .get, path.split(separator: "/").count == 1 {
                return Self.wire(200, JSONValue.array(list(path).map { Self.json($0.id, $0.name) }))
            }
            if request.method == .post { return create(in: path, request) }
            guard let item = items[path] else { return Self.wire(404) }
            if let tag = request.headerFields[.ifMatch], tag != "\"\(item.version)\"" { return Self.wire(412) }
            if request.method == .get { return response(200, path) }
            if request.method == .delete {
                apply("DELETE \(path)", isEffect: true)
                items[path] = nil
                return Self.wire(204)
            }
            let name = (try? request.decode(JSONValue.self))?["name"]?.stringValue ?? item.name
            apply("\(request.method) \(path)", isEffect: name != item.name)
            items[path] = (name, version)
            return response(200, path)
        }

        private mutating func create(in path: String, _ request: ReceivedRequest) -> Data {
            let key = request.headerFields["Idempotency-Key"]
            if let key, let response = keys[key] { return response }
            lastID += 1
            let name = (try? request.decode(JSONValue.self))?["name"]?.stringValue ?? ""
            apply("POST \(path)", isEffect: true)
            items["\(path)/\(lastID)"] = (name, version)
            let response = response(201, "\(path)/\(lastID)")
            if let key { keys[key] = response }
            return response
        }

        private mutating func apply(_ effect: String, isEffect: Bool) {
            version += 1
            applied.append(effect)
            if isEffect { effects.append(effect) }
        }

        private func response(_ status: Int, _ path: String) -> Data {
            guard let item = items[path] else { return Self.wire(404) }
            return Self.wire(status, Self.json(Self.id(of: path), item.name), tag: item.version)
        }

        private static func id(of path: String) -> Int { path.split(separator: "/").last.flatMap { Int($0) } ?? 0 }

        private static func json(_ id: Int, _ name: String) -> JSONValue {
            ["id": .integer(id), "name": .string(name)]
        }

        /// Returns the wire format of a response.
        private static func wire(_ status: Int, _ body: JSONValue? = .none, tag: Int? = nil) -> Data {
            var text = "HTTP/1.1 \(status) -\r\n"
            if let tag { text += "ETag: \"\(tag)\"\r\n" }
            let body = body?.description ?? ""
            if status != 204 { text += "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n" }
            return Data("\(text)\r\n\(body)".utf8)
        }
    }
#endif
