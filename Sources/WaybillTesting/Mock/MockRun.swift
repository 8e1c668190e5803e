import Foundation
import Waybill
import WaybillDescription
import WaybillOperations

/// A long-running operation on a mock server: its first status is running, and its second is done.
struct MockRun: Sendable {
    private static let folder = "waybill-operations"

    private let clause: LongRunning
    /// The response that the call would have if it were not long-running.
    private let result: StubResponse
    /// The result without its envelope; nil if it is not JSON.
    private let value: JSONValue?
    /// The origin of the links in responses; empty for relative links.
    private let linkOrigin: String
    private var statusCount = 0
    private var isCancelled = false

    private init(_ clause: LongRunning, _ result: StubResponse, envelope: [EnvelopeKey], linkOrigin: String) {
        self.linkOrigin = linkOrigin
        self.clause = clause
        self.result = result
        let document = try? WaybillJSONDecoder().decode(JSONValue.self, from: result.body)
        value = document?.value(at: envelope) ?? document
    }

    /// Starts a long-running operation and returns the response to its request; returns an unsuccessful result
    /// unchanged.
    static func begin(
        _ clause: LongRunning,
        _ result: StubResponse,
        of operation: MockOperation,
        in store: MockStore
    ) -> StubResponse {
        guard result.status.kind == .successful else { return result }
        let run = MockRun(clause, result, envelope: operation.envelope, linkOrigin: operation.linkOrigin)
        let number = store.runs.update { runs in
            runs.append(run)
            return runs.count
        }
        let url = "\(operation.linkOrigin)/\(folder)/\(number)"
        return naming(url, "\(number)", at: clause.location, in: run.document(of: .running)).with(status: 202)
    }

    /// Returns the responders for the status, result and cancellation of operations; empty if none is declared.
    static func responders(of clauses: [LongRunning], in store: MockStore) -> [(String, Responder)] {
        guard !clauses.isEmpty else { return [] }
        var places: [(String, Responder)] = [
            ("GET \(folder)/{}", responder(store) { $0.status(number: $1) }),
            ("GET \(folder)/{}/result", responder(store) { run, _ in run.result }),
        ]
        for case .path(_, let path) in clauses.map(\.location.form) {
            let template = ResolvedPath(path("1")).template
            guard !places.contains(where: { $0.0 == "GET \(template)" }) else { continue }
            places.append(("GET \(template)", responder(store) { $0.status(number: $1) }))
        }
        let statuses = places.map { $0.0.dropFirst(4) }.filter { !$0.hasSuffix("/result") }
        for cancellation in clauses.compactMap(\.cancellation).uniqued {
            for template in statuses {
                places.append(
                    (
                        "\(cancellation.method) \(template)\(cancellation.suffix)",
                        responder(store) { run, _ in
                            run.isCancelled = true
                            return StubResponse(status: 204)
                        }
                    )
                )
            }
        }
        return places
    }

    private static func responder(
        _ store: MockStore,
        _ respond: @escaping @Sendable (inout MockRun, Int) -> StubResponse
    ) -> Responder {
        .response { request in
            store.runs.update { runs in
                guard let number = request.pathValues.first.flatMap({ Int($0) }), runs.indices.contains(number - 1)
                else { return .text("There is no such operation.", status: 404) }
                return respond(&runs[number - 1], number)
            }
        }
    }

    // MARK: Status

    private enum State {
        case running, done, failed
    }

    private mutating func status(number: Int) -> StubResponse {
        statusCount += 1
        if isCancelled {
            if case .statusCode = clause.state.form { return .text("The operation was cancelled.", status: 410) }
            return Self.response(document(of: .failed))
        }
        guard statusCount > 1 else {
            let isByCode = if case .statusCode = clause.state.form { true } else { false }
            return Self.response(document(of: .running)).with(status: isByCode ? 202 : 200)
        }
        let document = document(of: .done)
        switch clause.result.form {
        case .status:
            if case .statusCode = clause.state.form { return result }
            guard value?.objectValue != nil, var whole = try? JSONValue(result) else {
                return .misuse(
                    "The mock cannot write the state into a result that is not an object: \(clause.summary). Declare"
                        + " where the result is: result: .member(\"result\")."
                )
            }
            for (path, value) in stateMembers(.done) { whole = whole.setting(value, at: path) }
            return Self.response(whole)
        case .member(let path): return Self.response(document.setting(value ?? .null, at: path))
        case .request: return Self.response(document)
        case .link(let place):
            let url = "\(linkOrigin)/\(Self.folder)/\(number)/result"
            return Self.naming(url, "\(number)", at: place, in: document)
        }
    }

    private func document(of state: State) -> JSONValue {
        var document: JSONValue = [:]
        for (path, value) in stateMembers(state) { document = document.setting(value, at: path) }
        guard let progress = clause.progress else { return document }
        let fraction = state == .done ? 1 : state == .running && statusCount > 0 ? 0.5 : 0
        return document.setting(.double(fraction * progress.whole), at: progress.path)
    }

    /// Returns the paths and values of the members that contain the state.
    private func stateMembers(_ state: State) -> [([EnvelopeKey], JSONValue)] {
        switch clause.state.form {
        case .statusCode: return []
        case .flag(let path, let failure):
            let ended: [([EnvelopeKey], JSONValue)] = [(path, .bool(state != .running))]
            return state == .failed ? ended + [(failure, JSONValue.object(["message": "cancelled"]))] : ended
        case .member(let path, let running, let done, let failed):
            let names =
                switch state {
                case .running: running
                case .done: done
                case .failed: failed
                }
            return [(path, .string(names?.first ?? (state == .running ? "running" : "failed")))]
        }
    }

    /// Returns a response with the URL or number of an operation at the declared location.
    private static func naming(
        _ url: String,
        _ number: String,
        at place: LongRunning.Location,
        in document: JSONValue
    ) -> StubResponse {
        switch place.form {
        case .fields(let names): response(document).header(names.first ?? "Location", url)
        case .member(let path): response(document.setting(.string(url), at: path))
        case .path(let path, _): response(document.setting(.string(number), at: path))
        }
    }

    /// Returns a JSON response that asks the client to retry immediately.
    private static func response(_ document: JSONValue) -> StubResponse {
        .make(Data(document.description.utf8), type: "application/json", status: 200).header("Retry-After", "0")
    }
}

extension StubResponse {
    /// Returns a copy with a different status.
    fileprivate func with(status: HTTPResponse.Status) -> Self {
        var response = self
        response.status = status
        return response
    }
}

extension JSONValue {
    /// Decodes the body of a response.
    fileprivate init(_ response: StubResponse) throws {
        self = try WaybillJSONDecoder().decode(JSONValue.self, from: response.body)
    }
}
