/// Where in the body of a failed response a server says how long to wait before another attempt.
///
/// ```swift
/// .milliseconds(at: "retry_after_ms")         // {"retry_after_ms": 1500}
/// .seconds(at: "error", "retry_after")        // {"error": {"retry_after": 1.5}}
/// ```
///
/// A number, or a text that is one. Where there is none, or a negative one, or where the body is not JSON, the server
/// has said nothing.
public struct RetryHint: Sendable, Hashable, CustomStringConvertible {
    private let path: [EnvelopeKey]
    private let secondsPerUnit: Double

    /// A number of seconds.
    public static func seconds(at path: EnvelopeKey...) -> Self { Self(path: path, secondsPerUnit: 1) }

    /// A number of milliseconds.
    public static func milliseconds(at path: EnvelopeKey...) -> Self { Self(path: path, secondsPerUnit: 0.001) }

    /// The path and the unit.
    public var description: String {
        "\(secondsPerUnit == 1 ? "seconds" : "milliseconds") at \(path.pathDescription)"
    }

    /// What a body says; nil where it says nothing.
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
        guard let number = value?.doubleValue ?? value?.stringValue.flatMap(Double.init), number >= 0, number.isFinite
        else {
            return nil
        }
        return Duration(boundedSeconds: number * secondsPerUnit)
    }
}
