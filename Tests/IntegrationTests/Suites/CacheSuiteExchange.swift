import Foundation
import Waybill
import WaybillCaching
import WaybillTesting

/// One case of the cache suite: a server that behaves as its requests describe, and a client with a cache.
final class CacheSuiteExchange: Sendable {
    /// A request as the server received it, and the fields it sent in response.
    struct Served: Sendable {
        let number: Int
        let method: String
        let fields: HTTPFields
        let sent: [(name: String, value: String)]
    }

    private struct State: Sendable {
        var date = Date(timeIntervalSince1970: 1_750_000_000)
        /// The responses' fields, with their date and location placeholders resolved.
        var fields: [Int: [(name: String, value: String, isChecked: Bool)]] = [:]
        var served: [Served] = []
    }

    private struct Failure: Error {
        let isSetup: Bool
        let text: String
    }

    /// A lock around a value.
    ///
    /// `@unchecked Sendable`: the value is accessed only under the lock.
    private final class Guarded<Value>: @unchecked Sendable {
        private let lock = NSLock()
        private var value: Value
        init(_ value: Value) { self.value = value }
        func callAsFunction<Result>(_ work: (inout Value) throws -> Result) rethrows -> Result {
            try lock.withLock { try work(&value) }
        }
    }

    private let test: CacheSuite.Case
    private let state = Guarded(State())
    private static let token = "f5b0a1c2-0000-4000-8000-000000000000"
    private static let number = HTTPField.Name("Req-Num")

    init(_ test: CacheSuite.Case) { self.test = test }

    /// Runs the case.
    func outcome() async -> CacheSuite.Outcome {
        do {
            try await run()
            return .held
        } catch let failure as Failure {
            return failure.isSetup ? .notSetUp(failure.text) : .failed(failure.text)
        } catch {
            return .failed("\(error)")
        }
    }

    private func run() async throws {
        let dates = Client.DateProvider { [state] in state { $0.date } }
        let transport = StubTransport { [self] in try respond(to: $0) }
        let cache = HTTPCache(maximumBytes: 10_000_000)
        guard let url = URL(string: "https://cache.example/test") else { return }
        let client = Client(url, transport: transport, dates: dates) {
            Cached(in: cache)
            Redirects(.reject)
            Success(.codes(100...999))
        }
        var responses: [Response<Void>] = []
        for (index, request) in test.requests.enumerated() {
            responses.append(try await send(request, index, client, previous: responses.last))
            try check(responses[index], index, request)
            if request["pause_after"]?.boolValue == true { state { $0.date.addTimeInterval(3) } }
        }
        // Background revalidation sends its request from another task.
        for _ in 0..<50 { await Task.yield() }
        try checkServed(responses)
    }

    private func send(
        _ request: JSONValue,
        _ index: Int,
        _ client: Client,
        previous: Response<Void>?
    ) async throws -> Response<Void> {
        let method = request["request_method"]?.stringValue ?? "GET"
        let file = request["filename"]?.stringValue
        let query = (request["query_arg"]?.stringValue ?? "").split(separator: "=").map(String.init)
        let fields = (request["request_headers"]?.arrayValue ?? []).map { field in
            var value = text(of: field[1])
            if request["magic_ims"]?.boolValue == true, let offset = field[1]?.intValue {
                let now = previous?.headerFields[Self.name("Server-Now")].flatMap { Double($0) } ?? 0
                value = HTTPDate.text(from: Date(timeIntervalSince1970: now / 1000 + Double(offset))) ?? ""
            }
            return (field[0]?.stringValue ?? "", value)
        }
        let path: Route.Path = file.map { "\(Self.token)/\($0)" } ?? "\(Self.token)"
        let endpoint: Endpoint<Void> =
            if let body = request["request_body"]?.stringValue {
                client.endpoint {
                    Route(method, path)
                    Body(Data(body.utf8), contentType: "text/plain")
                }
            } else {
                client.endpoint { Route(method, path) }
            }
        let policy: Cached.Policy.Mode =
            switch request["cache"]?.stringValue {
            case "no-store": .noStore
            case "reload": .reload
            case "no-cache": .revalidate
            case "only-if-cached": .onlyIfCached
            default: .default
            }
        return try await endpoint.with {
            Cached.Policy(policy)
            if query.count == 2 { Query(query[0], query[1]) }
            for field in fields { Header(field.0, field.1) }
            Header("Req-Num", index + 1)
        }
        .response()
    }

    private static func name(_ text: String) -> HTTPField.Name { HTTPField.Name(text) ?? .accept }

    private func text(of value: JSONValue?) -> String {
        if let values = value?.arrayValue { return values.map { text(of: $0) }.joined(separator: ", ") }
        return value?.stringValue ?? value?.intValue.map { "\($0)" } ?? ""
    }
}

// The server.
extension CacheSuiteExchange {
    private static let dateFields: Set<String> = [
        "date", "expires", "last-modified", "if-modified-since", "if-unmodified-since",
    ]

    private func respond(to request: ReceivedRequest) throws -> StubResponse {
        let number = Self.number.flatMap { request.headerFields[$0] }.flatMap { Int($0) } ?? 0
        let described = test.requests[number - 1]
        if let pause = described["response_pause"]?.doubleValue { state { $0.date.addTimeInterval(pause) } }
        let now = state { $0.date }
        let declared = sentFields(of: described, at: now, request)
        var status = described["response_status"]?[0]?.intValue ?? 200
        if described["expected_type"]?.stringValue?.hasSuffix("validated") == true {
            let previous =
                state { $0.fields[number - 1] } ?? sentFields(of: test.requests[number - 2], at: now, request)
            let confirms = [("last-modified", HTTPField.Name.ifModifiedSince), ("etag", .ifNoneMatch)]
                .contains { name, condition in
                    previous.first { $0.name.lowercased() == name }
                        .map { $0.value == request.headerFields[condition] } ?? false
                }
            status = confirms ? 304 : 999
        }
        var fields: [HTTPField] = []
        func add(_ name: String, _ value: String) {
            if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
        }
        state { state in
            state.fields[number] = declared
            state.served.append(
                Served(
                    number: number,
                    method: request.method.rawValue,
                    fields: request.headerFields,
                    sent: declared.filter(\.isChecked).map { ($0.name, $0.value) }
                )
            )
        }
        let numbers = state { $0.served.map { "\($0.number)" } }
        add("Server-Base-Url", request.url.path)
        add("Server-Request-Count", "\(numbers.count)")
        add("Client-Request-Count", "\(number)")
        add("Server-Now", "\(Int(now.timeIntervalSince1970 * 1000))")
        add("Request-Numbers", numbers.joined(separator: " "))
        for field in declared { add(field.name, field.value) }
        if !declared.contains(where: { $0.name.lowercased() == "date" }) {
            add("Date", HTTPDate.text(from: now) ?? "")
        }
        if !declared.contains(where: { $0.name.lowercased() == "content-type" }) { add("Content-Type", "text/plain") }
        if described["disconnect"]?.boolValue == true { throw TransportError(.connectionLost, "the server is gone") }
        var body = [204, 304].contains(status) ? "" : described["response_body"]?.stringValue ?? Self.token
        // The client reads no more bytes than Content-Length states.
        let length = declared.first { $0.name.lowercased() == "content-length" }.flatMap { Int($0.value) }
        body = String(body.prefix(length ?? .max))
        let status_ = HTTPResponse.Status(code: status)
        return StubResponse(
            status: status_,
            headerFields: HTTPFields(fields),
            body: Data((request.method == .head ? "" : body).utf8)
        )
    }

    private func sentFields(
        of described: JSONValue,
        at now: Date,
        _ request: ReceivedRequest
    ) -> [(name: String, value: String, isChecked: Bool)] {
        (described["response_headers"]?.arrayValue ?? []).map { field in
            let name = field[0]?.stringValue ?? ""
            var value = text(of: field[1])
            if Self.dateFields.contains(name.lowercased()), let offset = field[1]?.intValue {
                value = HTTPDate.text(from: now.addingTimeInterval(Double(offset))) ?? ""
                let old = (described["rfc850date"]?.arrayValue ?? []).compactMap(\.stringValue)
                if old.contains(name.lowercased()) { value = Self.rfc850(now.addingTimeInterval(Double(offset))) }
            }
            if ["location", "content-location"].contains(name.lowercased()),
                described["magic_locations"]?.boolValue == true
            {
                value = request.url.path + (value.isEmpty ? "" : "/\(value)")
            }
            return (name, value, field[2]?.boolValue ?? true)
        }
    }

    private static func rfc850(_ date: Date) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "GMT")
        formatter.dateFormat = "EEEE, dd-MMM-yy HH:mm:ss 'GMT'"
        return formatter.string(from: date)
    }
}

// The assertions.
extension CacheSuiteExchange {
    private func require(_ isSetup: Bool, _ holds: Bool, _ text: @autoclosure () -> String) throws {
        guard !holds else { return }
        throw Failure(isSetup: isSetup, text: text())
    }

    private func isSetup(_ request: JSONValue, _ member: String) -> Bool {
        request["setup"]?.boolValue == true
            || (request["setup_tests"]?.arrayValue ?? []).contains { $0.stringValue == member }
    }

    private func check(_ response: Response<Void>, _ index: Int, _ request: JSONValue) throws {
        let number = index + 1
        let served = response.headerFields[Self.name("Server-Request-Count")].flatMap { Int($0) }
        switch request["expected_type"]?.stringValue {
        case "cached" where !(response.status == 304 && served == nil):
            try require(
                isSetup(request, "expected_type"),
                served.map { $0 < number } ?? false,
                "\(number) is not cached"
            )
        case "not_cached":
            try require(isSetup(request, "expected_type"), served == number, "\(number) is from the cache")
        default: break
        }
        let code = response.status.code
        if let expected = request["expected_status"] {
            let holds = expected.isNull || expected.intValue == code
            try require(isSetup(request, "expected_status"), holds, "the status of \(number) is \(code)")
        } else if let expected = request["response_status"]?[0]?.intValue {
            try require(true, code == expected, "the status of \(number) is \(code)")
        } else if code == 999 {
            try require(isSetup(request, "expected_type"), false, "request \(number) has no condition")
        } else {
            try require(true, code == 200, "the status of \(number) is \(code)")
        }
        try checkFields(response, number, request)
        try checkBody(response, number, request)
    }

    private func checkFields(_ response: Response<Void>, _ number: Int, _ request: JSONValue) throws {
        for field in request["expected_response_headers"]?.arrayValue ?? [] {
            let isSetup = isSetup(request, "expected_response_headers")
            let name = field.stringValue ?? field[0]?.stringValue ?? ""
            let value = response.headerFields[Self.name(name)]
            let holds: Bool =
                if field.stringValue != nil {
                    value != nil
                } else if field[2] == nil {
                    value == expectedText(name, field[1], response)
                } else if field[1]?.stringValue == "=" {
                    value != nil && value == response.headerFields[Self.name(text(of: field[2]))]
                } else {
                    (value.flatMap { Int($0) } ?? 0) > (field[2]?.intValue ?? 0)
                }
            try require(isSetup, holds, "the field \(name) of response \(number) is \(value ?? "missing")")
        }
        for field in request["expected_response_headers_missing"]?.arrayValue ?? [] {
            let isSetup = isSetup(request, "expected_response_headers_missing")
            // For name-value pairs, the suite itself reads a property that never exists.
            guard let name = field.stringValue else { continue }
            try require(isSetup, !response.headerFields.contains(Self.name(name)), "response \(number) has \(name)")
        }
    }

    private func expectedText(_ name: String, _ value: JSONValue?, _ response: Response<Void>) -> String {
        guard Self.dateFields.contains(name.lowercased()), let offset = value?.intValue,
            let now = response.headerFields[Self.name("Server-Now")].flatMap({ Double($0) })
        else { return text(of: value) }
        return HTTPDate.text(from: Date(timeIntervalSince1970: now / 1000 + Double(offset))) ?? ""
    }

    private func checkBody(_ response: Response<Void>, _ number: Int, _ request: JSONValue) throws {
        let body = String(decoding: response.body, as: UTF8.self)
        if request["check_body"]?.boolValue == false { return }
        if let expected = request["expected_response_text"] {
            guard let text = expected.stringValue else { return }
            try require(isSetup(request, "expected_response_text"), body == text, "the body of \(number) is \(body)")
        } else if let text = request["response_body"]?.stringValue {
            try require(true, body == text, "the body of \(number) is \(body)")
        } else if ![204, 304].contains(response.status.code), request["request_method"]?.stringValue != "HEAD" {
            try require(true, body == Self.token, "the body of \(number) is \(body)")
        }
    }

    private func checkServed(_ responses: [Response<Void>]) throws {
        let all = state { $0.served }
        var index = 0
        for (position, request) in test.requests.enumerated() {
            let (number, isType) = (position + 1, isSetup(request, "expected_type"))
            let type = request["expected_type"]?.stringValue
            if type == "cached" { continue }
            let served = index < all.count ? all[index] : nil
            index += 1
            if type == "not_cached" { try require(isType, served?.number == number, "\(number) was not sent") }
            let conditions = ["etag_validated": HTTPField.Name.ifNoneMatch, "lm_validated": .ifModifiedSince]
            if let condition = type.flatMap({ conditions[$0] }) {
                let holds = served?.fields.contains(condition) ?? false
                try require(isType, holds, "request \(number) has no \(condition)")
            }
            guard let served else { continue }
            try checkRequest(served, number, request)
            for field in served.sent where field.name.lowercased() != "date" {
                let name = Self.name(field.name)
                let expected = served.sent.filter { $0.name.lowercased() == field.name.lowercased() }
                    .map(\.value).joined(separator: ", ")
                // Cookies are joined differently, and browsers hide them.
                guard name != .setCookie, name.canonicalName != "set-cookie2" else { continue }
                let value = responses[position].headerFields[name]
                try require(true, value == expected, "\(name) of response \(number) is \(value ?? "missing")")
            }
        }
    }

    private func checkRequest(_ served: Served, _ number: Int, _ request: JSONValue) throws {
        for field in request["expected_request_headers"]?.arrayValue ?? [] {
            let name = field.stringValue ?? field[0]?.stringValue ?? ""
            let value = served.fields[Self.name(name)]
            let holds = field.stringValue != nil ? value != nil : value == text(of: field[1])
            let isSetup = isSetup(request, "expected_request_headers")
            try require(isSetup, holds, "the field \(name) of request \(number) is \(value ?? "missing")")
        }
        for field in request["expected_request_headers_missing"]?.arrayValue ?? [] {
            let name = field.stringValue ?? field[0]?.stringValue ?? ""
            let value = served.fields[Self.name(name)]
            let holds = field.stringValue != nil ? value == nil : value != text(of: field[1])
            let isSetup = isSetup(request, "expected_request_headers_missing")
            try require(isSetup, holds, "the field \(name) of request \(number) is \(value ?? "missing")")
        }
        if let method = request["expected_method"]?.stringValue {
            try require(isSetup(request, "expected_method"), served.method == method, "\(number) is a \(served.method)")
        }
    }
}
