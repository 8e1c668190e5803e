import Foundation
import Testing
import Waybill
import WaybillStore
import WaybillTesting

/// A product server with modification times in one of the formats of public APIs.
///
/// A time in any other format is a bad request.
final class TimedServer: Sendable {
    struct State: Sendable {
        var items: [Int: (name: String, time: Double)] = [:]
        /// The server's clock in seconds since 1970.
        ///
        /// Each request takes 0.01 seconds.
        var clock = 1_790_000_000.25
        /// The number of list requests.
        var requests = 0
        /// The requested times.
        var times: [String] = []
        /// The times as the format has them; kept because each takes a millisecond.
        var rounded: [Double: Double] = [:]
        var pageSize: Int?
        var hasDateField = true
        /// Changes the state before a list is returned.
        var beforePage: (@Sendable (inout State) -> Void)?

        mutating func put(_ id: Int, _ name: String = "Item", at time: Double? = nil) {
            items[id] = (name, time ?? clock)
        }
    }

    let form: TimeForm
    /// Whether only items later than the requested time are returned.
    let isExclusive: Bool
    private let lock = NSLock()
    private nonisolated(unsafe) var state = State()

    init(_ form: TimeForm, isExclusive: Bool, items: Int = 0, pageSize: Int? = nil) {
        (self.form, self.isExclusive) = (form, isExclusive)
        change { state in
            for id in 0..<items { state.put(id + 1) }
            state.pageSize = pageSize
        }
    }

    @discardableResult
    func change<Value>(_ body: (inout State) -> Value) -> Value { lock.withLock { body(&state) } }

    /// Returns the number of list requests made by a synchronization.
    func requests(of synchronize: () async throws -> Void) async throws -> Int {
        let before = change { $0.requests }
        try await synchronize()
        return change { $0.requests } - before
    }

    var transport: StubTransport { StubTransport { request in self.change { self.respond(to: request, &$0) } } }

    var products: Resource<Product, ReadWrite> {
        guard let size = change({ $0.pageSize }) else { return Shop(transport).products }
        let scheme = Paginated.Scheme.pageNumber(size: .query("per_page", size), endsAtShortPage: true)
        return Shop(transport) { Paginated(scheme) }.products
    }

    private func respond(to request: ReceivedRequest, _ state: inout State) -> StubResponse {
        state.requests += 1
        state.clock += 0.01
        state.beforePage?(&state)
        var found = state.items.sorted { $0.key < $1.key }
        if let text = request.query("since") {
            state.times.append(text)
            guard let time = form.read(text) else { return .status(400) }
            found = found.filter { item in
                let own = state.rounded[item.value.time] ?? form.rounded(item.value.time)
                state.rounded[item.value.time] = own
                return isExclusive ? own > time : own >= time
            }
        }
        if let size = state.pageSize {
            let page = request.query("page").flatMap { Int($0) } ?? 1
            found = Array(found.dropFirst((page - 1) * size).prefix(size))
        }
        let documents = found.map { item in
            JSONValue.product(item.key, item.value.name, ["updated_at": form.write(item.value.time)])
        }
        let response = StubResponse.json(JSONValue.array(documents).description)
        guard state.hasDateField else { return response }
        return response.header("Date", TimeForm.http.text(state.clock))
    }
}

/// A time format.
struct TimeForm: Sendable, CustomTestStringConvertible {
    var pattern: String?
    var digits = 0
    var suffix = ""
    /// The time zone's offset from UTC in seconds.
    var offset = 0
    /// The number of units per second, for numeric times.
    var scale = 1.0
    var isText = true
    /// The resolution of times in seconds, if it is coarser than the format.
    var resolution: Double?
    var point = "."

    var testDescription: String {
        (isText ? text(1_790_000_000.25) : "number \(text(1_790_000_000.25))")
            + (resolution.map { ", resolution \($0) s" } ?? "")
    }

    static let http = TimeForm(pattern: "EEE, dd MMM yyyy HH:mm:ss", suffix: " GMT")

    static let all: [TimeForm] = [
        TimeForm(pattern: "yyyy-MM-dd'T'HH:mm:ss", suffix: "Z"),
        TimeForm(pattern: "yyyy-MM-dd'T'HH:mm:ss", digits: 3, suffix: "Z"),
        TimeForm(pattern: "yyyy-MM-dd'T'HH:mm:ss", digits: 6, suffix: "Z"),
        TimeForm(pattern: "yyyy-MM-dd'T'HH:mm:ss", digits: 6, suffix: "Z", resolution: 1),
        TimeForm(pattern: "yyyy-MM-dd'T'HH:mm:ss", digits: 7, suffix: "Z"),
        TimeForm(pattern: "yyyy-MM-dd'T'HH:mm:ss", digits: 9, suffix: "+00:00"),
        TimeForm(pattern: "yyyy-MM-dd'T'HH:mm:ss", digits: 6, suffix: "+05:30", offset: 19_800),
        TimeForm(pattern: "yyyy-MM-dd'T'HH:mm:ss", suffix: "-0700", offset: -25_200),
        TimeForm(pattern: "yyyy-MM-dd'T'HH:mm:ss", digits: 3, suffix: "+02", offset: 7_200, point: ","),
        TimeForm(pattern: "yyyy-MM-dd'T'HH:mm:ss"),
        TimeForm(pattern: "yyyy-MM-dd HH:mm:ss", digits: 6),
        TimeForm(pattern: "yyyy-MM-dd HH:mm:ss"),
        TimeForm(pattern: "yyyy-MM-dd HH:mm:ss", suffix: " UTC"),
        TimeForm(pattern: "yyyy-MM-dd'T'HH:mm", suffix: "Z"),
        TimeForm(pattern: "yyyy-MM-dd"),
        TimeForm(pattern: "yyyyMMdd'T'HHmmss", suffix: "Z"),
        TimeForm(pattern: "yyyyMMddHHmmss"),
        http,
        TimeForm(pattern: "d MMM yyyy HH:mm:ss", suffix: " +0000"),
        TimeForm(isText: false), TimeForm(scale: 1e3, isText: false), TimeForm(scale: 1e6, isText: false),
        TimeForm(digits: 2, isText: false), TimeForm(), TimeForm(scale: 1e3), TimeForm(digits: 6),
    ]

    /// Returns a time without the precision that the format lacks.
    func rounded(_ time: Double) -> Double {
        let time = resolution.map { (time / $0).rounded(.down) * $0 } ?? time
        return read(text(time)) ?? time
    }

    func write(_ time: Double) -> JSONValue {
        let text = text(resolution.map { (time / $0).rounded(.down) * $0 } ?? time)
        return isText ? .string(text) : Decimal(string: text).map { JSONValue($0) } ?? .null
    }

    func text(_ time: Double) -> String {
        let units = time * scale
        let whole = units.rounded(.down)
        let fraction = (0..<digits).map { place in
            "\(Int(((units - whole) * pow(10, Double(place + 1))).rounded(.down)) % 10)"
        }
        let decimals = digits == 0 ? "" : point + fraction.joined()
        guard let pattern else { return "\(Int(whole))" + decimals }
        return formatter(pattern).string(from: Date(timeIntervalSince1970: whole)) + decimals + suffix
    }

    /// Parses a time in exactly this format.
    func read(_ text: String) -> Double? {
        guard let pattern else {
            let decimals = text.split(separator: ".").dropFirst().first?.count ?? 0
            guard let number = Double(text), !isText || decimals == digits else { return nil }
            return number / scale
        }
        guard text.hasSuffix(suffix) else { return nil }
        var rest = text.dropLast(suffix.count)
        var fraction = 0.0
        if digits > 0 {
            let decimals = rest.suffix(digits)
            guard let number = Double(decimals), rest.dropLast(digits).hasSuffix(point) else { return nil }
            fraction = number / pow(10, Double(digits))
            rest = rest.dropLast(digits + 1)
        }
        let formatter = formatter(pattern)
        guard let date = formatter.date(from: String(rest)), formatter.string(from: date) == rest else { return nil }
        return date.timeIntervalSince1970 + fraction
    }

    /// Returns this thread's formatter for the format.
    ///
    /// Creating one takes longer than formatting many times.
    private func formatter(_ pattern: String) -> DateFormatter {
        let key = "\(pattern) \(offset)"
        if let formatter = Thread.current.threadDictionary[key] as? DateFormatter { return formatter }
        let formatter = DateFormatter()
        defer { Thread.current.threadDictionary[key] = formatter }
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: offset)
        formatter.dateFormat = pattern
        return formatter
    }
}
