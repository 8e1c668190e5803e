extension Retry {
    /// The place in the body of a failed response at which a server states the wait before another attempt.
    ///
    /// ```swift
    /// Retry(hint: .milliseconds(at: "retry_after_ms"))         // {"retry_after_ms": 1500}
    /// Retry(hint: .seconds(at: "error", "retry_after"))        // {"error": {"retry_after": 1.5}}
    /// ```
    ///
    /// The value is a number, or a text that is one. A missing or negative one, and a body that is not JSON, are
    /// ignored.
    public struct Hint: Sendable, Hashable, CustomStringConvertible {
        private let path: [EnvelopeKey]
        private let secondsPerUnit: Double

        /// Returns the place of a number of seconds.
        public static func seconds(at path: EnvelopeKey...) -> Self { Self(path: path, secondsPerUnit: 1) }

        /// Returns the place of a number of milliseconds.
        public static func milliseconds(at path: EnvelopeKey...) -> Self { Self(path: path, secondsPerUnit: 0.001) }

        /// The path and the unit.
        public var description: String {
            "\(secondsPerUnit == 1 ? "seconds" : "milliseconds") at \(path.pathDescription)"
        }

        /// Reads the wait from a body; nil if it has none.
        func wait(in body: HTTPBody) -> Duration? {
            guard let bytes = body.bytes, !bytes.isEmpty,
                let document = try? JSONDefaults.decoder.decode(JSONValue.self, from: bytes)
            else { return nil }
            let value = path.reduce(Optional(document)) { value, step in
                switch step {
                case .key(let key): value?[key]
                case .index(let index): value?[index]
                }
            }
            guard let number = value?.doubleValue ?? value?.stringValue.flatMap(Double.init), number >= 0,
                number.isFinite
            else {
                return nil
            }
            return Duration(boundedSeconds: number * secondsPerUnit)
        }
    }
}
