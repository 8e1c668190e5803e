import Foundation
import Waybill
import WaybillTransfers

@testable import WaybillTesting

/// A connection to an ``UploadServer``.
struct UploadConnection: Sendable {
    private let socket: Socket
    private let stop: Waker
    private let state: Locked<UploadServer.State>
    private let rules: UploadServer.Rules
    private let unread = Locked(Data())

    init(_ socket: Socket, _ stop: Waker, _ state: Locked<UploadServer.State>, _ rules: UploadServer.Rules) {
        (self.socket, self.stop, self.state, self.rules) = (socket, stop, state, rules)
    }

    /// Handles requests until the connection ends.
    func run() { while handle() {} }

    private func handle() -> Bool {
        guard let head = readHead() else { return false }
        let lines = head.components(separatedBy: "\r\n")
        let words = lines[0].components(separatedBy: " ")
        let fields = HTTPFields(
            lines.dropFirst().compactMap { line -> HTTPField? in
                let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
                guard parts.count == 2, let name = HTTPField.Name(parts[0]) else { return nil }
                return HTTPField(name: name, value: parts[1].trimmingCharacters(in: .whitespaces))
            }
        )
        let (method, path) = (words[0], words[1])
        let (index, fault) = state.withLock { state in
            state.exchanges.append(UploadServer.Exchange(method: method, path: path, fields: fields))
            let number = state.exchanges.filter { $0.method == method }.count
            return (state.exchanges.count - 1, state.faults["\(method) \(number)"])
        }
        let isRejected = if case .responds = fault { true } else { false }
        let request = Request(method: method, path: path, fields: fields)
        let id = isRejected ? nil : begin(request)
        let isStored = id != nil && accepts(request, id)
        guard receiveBody(of: index, request, into: isStored ? id : nil, fault) else { return false }
        let response = isRejected ? [] : self.response(to: request, id, isStored: isStored)
        switch fault {
        case .breaks, .stalls, .losesResponse: return false
        case .responds(let lines), .handlesAndResponds(let lines): return write(lines)
        case nil: return write(response)
        }
    }

    private struct Request {
        let method: String
        let path: String
        let fields: HTTPFields

        var isWhole: Bool { fields["Upload-Complete"] == "?1" }
        var length: Int { fields[.contentLength].flatMap { Int($0) } ?? 0 }
        var offset: Int? { fields["Upload-Offset"].flatMap { Int($0) } }
    }

    /// Creates an upload, or returns the existing one at the path.
    private func begin(_ request: Request) -> String? {
        let isCreation = request.path.hasPrefix("/files")
        guard isCreation else {
            let id = request.path.components(separatedBy: "/").last ?? ""
            return state.withLock { $0.uploads[id] == nil ? nil : id }
        }
        let id = state.withLock { state in
            let id = "\(state.uploads.count + 1)"
            state.uploads[id] = UploadServer.Upload(length: request.fields["Upload-Length"].flatMap { Int($0) })
            return id
        }
        if rules.kind == "draft", rules.hasInterimResponses, request.length > 0 {
            _ = write(
                ["104 Upload Resumption Supported", "Location: \(location(of: id))"] + limitLines,
                isFinal: false
            )
        }
        return id
    }

    private func accepts(_ request: Request, _ id: String?) -> Bool {
        request.method != "PATCH"
            || request.offset == id.flatMap { id in state.withLock { $0.uploads[id]?.bytes.count } }
    }

    private func location(of id: String) -> String { rules.location.replacingOccurrences(of: "{}", with: id) }

    private var limitLines: [String] { rules.limits.map { ["Upload-Limit: \($0)"] } ?? [] }

    /// Returns the response of a server that follows the protocol.
    private func response(to request: Request, _ id: String?, isStored: Bool) -> [String] {
        let isTus = rules.kind == "tus"
        let common = isTus ? ["Tus-Resumable: 1.0.0"] : []
        guard let id, let upload = state.withLock({ $0.uploads[id] }) else { return ["404 Not Found"] + common }
        if request.path.hasPrefix("/files") {
            if !isTus, request.isWhole { return complete(id) }
            let complete = isTus ? [] : ["Upload-Complete: ?0"]
            return ["201 Created", "Location: \(location(of: id))"] + complete + common + limitLines
        }
        let offset = "Upload-Offset: \(upload.bytes.count)"
        let isComplete = "Upload-Complete: \(upload.isComplete ? "?1" : "?0")"
        if request.method == "HEAD" {
            let length = upload.length.map { ["Upload-Length: \($0)"] } ?? []
            return ["\(isTus ? "200 OK" : "204 No Content")", offset] + length + (isTus ? [] : [isComplete]) + common
                + limitLines
        }
        guard isStored else { return ["409 Conflict", offset] + common }
        if isTus { return ["204 No Content", offset] + common }
        return request.isWhole ? complete(id) : ["204 No Content", "Upload-Complete: ?0"]
    }

    /// Returns the response of the uploaded resource.
    private func complete(_ id: String) -> [String] {
        state.withLock { $0.uploads[id]?.isComplete = true }
        return ["200 OK", "Upload-Complete: ?1", "Content-Type: application/json", "", #"{"id": 7}"#]
    }

    /// Writes a response: the status line without its version, the header fields, and the body after an empty line.
    private func write(_ lines: [String], isFinal: Bool = true) -> Bool {
        let parts = lines.split(separator: "", maxSplits: 1, omittingEmptySubsequences: false)
        let body = parts.count > 1 ? parts[1].joined() : ""
        var head = parts.first.map { Array($0) } ?? []
        let hasBody = !(head.first?.hasPrefix("204") ?? false)
        if isFinal, hasBody { head.append("Content-Length: \(body.utf8.count)") }
        return send(Array("HTTP/1.1 \(head.joined(separator: "\r\n"))\r\n\r\n\(body)".utf8))
    }

    private func send(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            switch rest.withUnsafeBytes({ socket.transmit($0) }) {
            case .bytes(let count): rest = rest.dropFirst(count)
            case .wouldBlock: if !wait(.writing) { return false }
            case .end, .failed: return false
            }
        }
        return true
    }

    private func readHead() -> String? {
        while true {
            let head: String? = unread.withLock { unread in
                guard let end = unread.range(of: Data("\r\n\r\n".utf8)) else { return nil }
                defer { unread = Data(unread[end.upperBound...]) }
                return String(decoding: unread[..<end.lowerBound], as: UTF8.self)
            }
            if let head { return head }
            guard receive() else { return nil }
        }
    }

    /// Receives the content.
    ///
    /// Returns `false` if the connection ends, or must end, within it.
    private func receiveBody(of index: Int, _ request: Request, into id: String?, _ fault: UploadServer.Fault?) -> Bool
    {
        var remaining = request.length
        var isHalfAcknowledged = false
        let limit: Int? =
            switch fault {
            case .breaks(let count), .stalls(let count): count
            default: nil
            }
        var kept = 0
        while true {
            let room = min(remaining, limit.map { $0 - kept } ?? .max)
            let piece = unread.withLock { unread in
                defer { unread = Data(unread.dropFirst(room)) }
                return Data(unread.prefix(room))
            }
            remaining -= piece.count
            kept += piece.count
            state.withLock { state in
                state.exchanges[index].count += piece.count
                if let id { state.uploads[id]?.bytes.append(piece) }
            }
            if let limit, kept == limit {
                if case .stalls = fault { while receive() { unread.withLock { $0 = Data() } } }
                return false
            }
            if remaining == 0 { return true }
            if rules.kind == "draft", rules.hasInterimResponses, let id, kept > request.length / 2, !isHalfAcknowledged
            {
                isHalfAcknowledged = true
                let offset = state.withLock { $0.uploads[id]?.bytes.count ?? 0 }
                _ = write(["104 Upload Resumption Supported", "Upload-Offset: \(offset)"], isFinal: false)
            }
            guard receive() else { return false }
        }
    }

    private func receive() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            switch socket.receive(into: &buffer) {
            case .bytes(let count):
                unread.withLock { $0.append(contentsOf: buffer[..<count]) }
                return true
            case .wouldBlock: if !wait(.reading) { return false }
            case .end, .failed: return false
            }
        }
    }

    /// Waits for the socket.
    ///
    /// Returns `false` if the server stops.
    private func wait(_ interest: Descriptor.Interest) -> Bool {
        !Descriptor.wait([(socket.descriptor, interest), (stop.signal, .reading)])[1]
    }
}
