import Foundation

/// A type whose `init(from:)` runs a probe's closure.
struct Script: Decodable {
    typealias Body = @Sendable (any Decoder, inout Log) throws -> Void

    static let key = CodingUserInfoKey(rawValue: "script")

    let log: Log

    init(from decoder: any Decoder) throws {
        var log = Log()
        if let key = Self.key, let body = decoder.userInfo[key] as? Body { try body(decoder, &log) }
        self.log = log
    }

    /// The lines that the script logs.
    struct Log: Sendable {
        private(set) var lines: [String] = []

        mutating func note(_ value: Any) { lines.append(canonicalText(of: value)) }

        mutating func note(_ path: [any CodingKey]) { lines.append("<\(Outcome.words(for: path))>") }

        /// Logs the result of an attempt, or the error that it throws.
        mutating func attempt<T>(_ body: () throws -> T) {
            switch Outcome({ try body() }) {
            case .value(let text), .failure(let text): lines.append(text)
            }
        }
    }
}

/// A key with any string or integer value.
struct AnyKey: CodingKey, Hashable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }
    init(intValue: Int) { (stringValue, self.intValue) = ("\(intValue)", intValue) }
    init(stringLiteral value: String) { self.init(stringValue: value) }
    init(integerLiteral value: Int) { self.init(intValue: value) }
}
