import WaybillSystem

extension Retry {
    /// The wait before each retry, in addition to any wait requested by the server.
    ///
    /// ```swift
    /// // Up to 0.2 s, 0.4 s, 0.8 s, … 20 s, 20 s:
    /// Retry(backoff: .exponential(from: .milliseconds(200), to: .seconds(20)))
    /// Retry(backoff: .constant(.seconds(1)))      // 1 s each time
    /// Retry(backoff: .none)                       // at once
    /// ```
    public struct Backoff: Sendable, Hashable, CustomStringConvertible {
        private enum Form: Hashable {
            case exponential(from: Duration, to: Duration, factor: Double)
            case constant(Duration)
        }

        private let form: Form

        /// Returns a backoff whose upper bound grows by a factor after each attempt.
        ///
        /// Each wait is a random duration between zero and the bound ("full jitter"), so that clients whose calls fail
        /// simultaneously do not retry simultaneously. A negative duration, a `longest` below `shortest`, and a factor
        /// that is infinite or below 1 are declaration errors.
        ///
        /// - Parameters:
        ///   - shortest: the upper bound of the first wait.
        ///   - longest: the upper bound of all waits.
        ///   - factor: the factor by which the bound grows from one attempt to the next.
        /// - Returns: the backoff.
        public static func exponential(from shortest: Duration, to longest: Duration, factor: Double = 2) -> Self {
            Self(form: .exponential(from: shortest, to: longest, factor: factor))
        }

        /// Returns a backoff with constant waits and no jitter.
        ///
        /// - Parameter wait: the wait before each retry; a negative duration is a declaration error.
        /// - Returns: the backoff.
        public static func constant(_ wait: Duration) -> Self { Self(form: .constant(wait)) }

        /// A backoff without waits.
        public static let none = Self.constant(.zero)

        /// Returns the wait after a failed attempt.
        ///
        /// - Parameters:
        ///   - attempt: the number of the failed attempt, starting at 1.
        ///   - fraction: a random number from 0 up to, but not including, 1.
        /// - Returns: the wait.
        package func wait(afterAttempt attempt: Int, fraction: @autoclosure () -> Double) -> Duration {
            switch form {
            case .constant(let wait): return wait
            case .exponential(let shortest, let longest, let factor):
                // The power can be infinite, but the bound is finite.
                let bound = min(longest.inSeconds, shortest.inSeconds * pow(factor, Double(attempt - 1)))
                return Duration(boundedSeconds: bound * fraction())
            }
        }

        /// The reason the declaration is invalid; nil if it is valid.
        package var declarationError: String? {
            switch form {
            case .constant(let wait):
                wait < .zero ? "a wait cannot be negative; give zero or more" : nil
            case .exponential(let shortest, let longest, let factor):
                if shortest < .zero {
                    "a wait cannot be negative; give zero or more"
                } else if longest < shortest {
                    "the longest wait is shorter than the first; swap them"
                } else if !(factor >= 1 && factor.isFinite) {
                    "the waits would become shorter; give a factor of 1 or more"
                } else {
                    nil
                }
            }
        }

        private func shown(_ factor: Double) -> String {
            let text = "\(factor)"
            return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
        }

        /// A description of the waits.
        public var description: String {
            switch form {
            case .constant(.zero): "at once"
            case .constant(let wait): "after \(wait.shown)"
            case .exponential(let shortest, let longest, let factor):
                "after up to \(shortest.shown)"
                    + (shortest == longest ? "" : " × \(shown(factor)) each time, at most \(longest.shown)")
            }
        }
    }
}

extension Duration {
    /// The maximum wait in seconds, about 30 years; longer waits are clamped to it.
    private static let most = 1e9

    /// Creates a duration from seconds, rounded to microseconds; negative values and NaN become zero, and large values
    /// are clamped to about 30 years.
    package init(boundedSeconds seconds: Double) {
        self = seconds > 0 ? .microseconds(Int64((Swift.min(seconds, Self.most) * 1e6).rounded())) : .zero
    }

    /// The duration in seconds.
    package var inSeconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) * 1e-18
    }
}
