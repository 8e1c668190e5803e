import WaybillSystem

extension Retry {
    /// The wait before another attempt, unless the server states one.
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

        /// Returns a backoff whose bound grows by a factor from attempt to attempt, up to `to`.
        ///
        /// A wait is a random time from zero to its bound ("full jitter"): clients that failed at the same moment do
        /// not come back at the same moment. A negative time, a `to` below `from` and a factor below 1 are declaration
        /// errors.
        ///
        /// - Parameters:
        ///   - shortest: the bound of the first wait.
        ///   - longest: the bound of all waits.
        ///   - factor: the factor by which the bound grows.
        /// - Returns: the backoff.
        public static func exponential(from shortest: Duration, to longest: Duration, factor: Double = 2) -> Self {
            Self(form: .exponential(from: shortest, to: longest, factor: factor))
        }

        /// Returns a backoff with the same wait each time, without jitter.
        ///
        /// A negative one is a declaration error.
        ///
        /// - Parameter wait: the wait before each attempt after the first.
        /// - Returns: the rule.
        public static func constant(_ wait: Duration) -> Self { Self(form: .constant(wait)) }

        /// No wait.
        public static let none = Self.constant(.zero)

        /// Returns the wait after an attempt.
        ///
        /// - Parameters:
        ///   - attempt: the attempt that failed, from 1.
        ///   - fraction: a random number, from 0 up to 1.
        /// - Returns: the wait.
        package func wait(afterAttempt attempt: Int, fraction: @autoclosure () -> Double) -> Duration {
            switch form {
            case .constant(let wait): return wait
            case .exponential(let shortest, let longest, let factor):
                // The power may be infinite; the bound is not.
                let bound = min(longest.inSeconds, shortest.inSeconds * pow(factor, Double(attempt - 1)))
                return Duration(boundedSeconds: bound * fraction())
            }
        }

        /// The error in the declaration; nil if it is valid.
        var declarationError: String? {
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

        private func shown(_ factor: Double) -> String {
            let text = "\(factor)"
            return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
        }

        /// The waits in words.
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
    /// The longest wait; longer ones count as this: some 30 years.
    private static let most = 1e9

    /// Creates a duration of a number of seconds from zero on, of any size, to the microsecond; NaN counts as zero.
    package init(boundedSeconds seconds: Double) {
        self = seconds > 0 ? .microseconds(Int64((Swift.min(seconds, Self.most) * 1e6).rounded())) : .zero
    }

    /// The number of seconds.
    package var inSeconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) * 1e-18
    }
}
