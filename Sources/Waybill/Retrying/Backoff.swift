import Foundation

/// How long to wait before another attempt, where the server does not say.
///
/// ```swift
/// .exponential(from: .milliseconds(200), to: .seconds(20))   // up to 0.2 s, 0.4 s, 0.8 s, … 20 s, 20 s
/// .constant(.seconds(1))                                     // 1 s each time
/// .none                                                      // at once
/// ```
public struct Backoff: Sendable, Hashable, CustomStringConvertible {
    private enum Form: Hashable {
        case exponential(from: Duration, to: Duration, factor: Double)
        case constant(Duration)
    }

    private let form: Form

    /// Waits whose bound grows by a factor from attempt to attempt, until it has come to `to`.
    ///
    /// A wait is any time from zero to its bound, by chance ("full jitter"): clients that failed at the same moment do
    /// not come back at the same moment. A negative time, a `to` below `from` and a factor below 1 are mistakes.
    ///
    /// - Parameters:
    ///   - shortest: the bound of the first wait.
    ///   - longest: the bound of all waits.
    ///   - factor: by how much the bound grows.
    public static func exponential(from shortest: Duration, to longest: Duration, factor: Double = 2) -> Self {
        Self(form: .exponential(from: shortest, to: longest, factor: factor))
    }

    /// The same wait each time, without chance.
    ///
    /// A negative one is a mistake.
    public static func constant(_ wait: Duration) -> Self { Self(form: .constant(wait)) }

    /// No wait.
    public static let none = Self.constant(.zero)

    /// The wait behind an attempt.
    ///
    /// - Parameters:
    ///   - attempt: the attempt that failed, from 1.
    ///   - fraction: chance, from 0 up to 1.
    package func wait(afterAttempt attempt: Int, fraction: @autoclosure () -> Double) -> Duration {
        switch form {
        case .constant(let wait): return wait
        case .exponential(let shortest, let longest, let factor):
            // The power may be infinite; the bound is not.
            let bound = min(longest.inSeconds, shortest.inSeconds * pow(factor, Double(attempt - 1)))
            return Duration(boundedSeconds: bound * fraction())
        }
    }

    /// What is wrong with it; nil where nothing is.
    var mistake: String? {
        switch form {
        case .constant(let wait):
            wait < .zero ? "a wait cannot be negative; give zero or more" : nil
        case .exponential(let shortest, let longest, let factor):
            if shortest < .zero {
                "a wait cannot be negative; give zero or more"
            } else if longest < shortest {
                "the longest wait is shorter than the first; exchange them"
            } else if !(factor >= 1 && factor.isFinite) {
                "waits would become shorter; give a factor of 1 or more"
            } else {
                nil
            }
        }
    }

    /// The waits in words.
    public var description: String {
        switch form {
        case .constant(.zero): "at once"
        case .constant(let wait): "after \(wait)"
        case .exponential(let shortest, let longest, let factor):
            "after up to \(shortest)"
                + (shortest == longest ? "" : " × \(factor.formatted()) each time, at most \(longest)")
        }
    }
}

extension Duration {
    /// The longest wait that is told from any longer one: some 30 years.
    private static let most = 1e9

    /// A number of seconds from zero on, of any size, to the microsecond; no number counts as zero.
    package init(boundedSeconds seconds: Double) {
        self = seconds > 0 ? .microseconds(Int64((Swift.min(seconds, Self.most) * 1e6).rounded())) : .zero
    }

    /// The number of seconds.
    package var inSeconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) * 1e-18
    }
}
