import Foundation

/// A type whose `init(from:)` is what a probe says.
struct Script: Decodable {
    typealias Body = @Sendable (any Decoder, inout Log) throws -> Void

    static let key = CodingUserInfoKey(rawValue: "script")

    let log: Log

    init(from decoder: any Decoder) throws {
        var log = Log()
        if let key = Self.key, let body = decoder.userInfo[key] as? Body { try body(decoder, &log) }
        self.log = log
    }

    /// What was seen on the way, line by line.
    struct Log: Sendable {
        private(set) var lines: [String] = []

        mutating func note(_ value: Any) { lines.append(canonicalText(of: value)) }

        mutating func note(_ path: [any CodingKey]) { lines.append("<\(Outcome.words(for: path))>") }

        /// Notes what an attempt returns, or the error that it throws.
        mutating func attempt<T>(_ body: () throws -> T) {
            switch Outcome({ try body() }) {
            case .value(let text), .failure(let text): lines.append(text)
            }
        }
    }
}

/// A key of any spelling.
struct AnyKey: CodingKey, Hashable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }
    init(intValue: Int) { (stringValue, self.intValue) = ("\(intValue)", intValue) }
    init(stringLiteral value: String) { self.init(stringValue: value) }
    init(integerLiteral value: Int) { self.init(intValue: value) }
}
