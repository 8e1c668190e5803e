import Foundation

/// Gives a call's request the key by which the server knows its attempts.
package struct IdempotencyStep: Middleware {
    private let name: HTTPField.Name
    private let isQuoted: Bool

    /// Nil where the call has no use for a key.
    package init?(_ call: Call) {
        guard !call.plan.method.isIdempotent, let key = call.settings[IdempotencyKey.self], let name = key.name else {
            return nil
        }
        self.name = name
        isQuoted = key.form?.isQuoted ?? false
    }

    /// Sends the request on with a key; one that it has already stays.
    package func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
        guard !request.headerFields.contains(name) else { return try await next(request) }
        var request = request
        let key = Self.key(call.context.randomness)
        request.headerFields[name] = isQuoted ? "\"\(key)\"" : key
        return try await next(request)
    }

    /// A random UUID in lower case: all bits by chance, but for version and variant (RFC 9562, section 5.4).
    private static func key(_ randomness: Randomness) -> String {
        let high = randomness.next() & ~0xF000 | 0x4000
        let low = randomness.next() & ~(0b11 << 62) | 0b10 << 62
        let digits = [high, low].map { number in
            let digits = String(number, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
        var rest = Substring(digits)
        let parts = [8, 4, 4, 4, 12].map { length in
            defer { rest = rest.dropFirst(length) }
            return String(rest.prefix(length))
        }
        return parts.joined(separator: "-")
    }
}
