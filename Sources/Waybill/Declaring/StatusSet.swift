extension HTTPResponse {
    /// A set of HTTP status codes, for clauses that apply only to certain responses.
    ///
    /// ```swift
    /// Success(404)                     // one
    /// Success([409, 422])              // several
    /// Success(.codes(400...499))       // a range
    /// Success(.clientErrors)           // the same, by name
    /// ```
    public struct StatusSet: Sendable, Hashable, ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral {
        private let ranges: [ClosedRange<Int>]

        private init(ranges: [ClosedRange<Int>]) { self.ranges = ranges }

        /// Creates a set containing a single status.
        ///
        /// - Parameter code: the status code.
        public init(integerLiteral code: Int) { self.init(ranges: [code...code]) }

        /// Creates a set from a list of statuses.
        ///
        /// - Parameter codes: the status codes.
        public init(arrayLiteral codes: Int...) { self.init(ranges: codes.map { $0...$0 }) }

        /// Returns the set of statuses in a range.
        ///
        /// - Parameter codes: the range of status codes.
        /// - Returns: the set.
        public static func codes(_ codes: ClosedRange<Int>) -> Self { Self(ranges: [codes]) }

        /// Successful statuses: 200...299.
        public static let success = Self.codes(200...299)
        /// Redirections: 300...399.
        public static let redirection = Self.codes(300...399)
        /// Client errors: 400...499.
        public static let clientErrors = Self.codes(400...499)
        /// Server errors: 500...599.
        public static let serverErrors = Self.codes(500...599)
        /// Client and server errors: 400...599.
        public static let failures = Self.codes(400...599)

        /// Whether the set contains a status.
        ///
        /// - Parameter status: the status to check.
        /// - Returns: `true` if the set contains the status.
        public func contains(_ status: HTTPResponse.Status) -> Bool { ranges.contains { $0.contains(status.code) } }

        /// Returns the union of two sets.
        ///
        /// - Parameter other: the other set.
        /// - Returns: the statuses in either set.
        public func union(_ other: HTTPResponse.StatusSet) -> HTTPResponse.StatusSet {
            Self(ranges: ranges + other.ranges)
        }

        /// The statuses in the set from 100 to 599, in ascending order.
        package var codes: [Int] {
            let all = 100...599
            return Set(ranges.filter { $0.overlaps(all) }.map { $0.clamped(to: all) }.joined()).sorted()
        }

        /// Returns the set without the statuses in another set.
        func subtracting(_ other: HTTPResponse.StatusSet) -> HTTPResponse.StatusSet {
            other.ranges.reduce(self) { Self(ranges: $0.ranges.flatMap($1.removed(from:))) }
        }

        /// Whether the sets have a status in common.
        func intersects(_ other: HTTPResponse.StatusSet) -> Bool {
            ranges.contains { range in other.ranges.contains { range.overlaps($0) } }
        }
    }
}

extension HTTPResponse.StatusSet: CustomStringConvertible {
    /// The codes and ranges, joined by commas.
    public var description: String {
        ranges.map { $0.lowerBound == $0.upperBound ? "\($0.lowerBound)" : "\($0.lowerBound)...\($0.upperBound)" }
            .joined(separator: ", ")
    }
}

extension ClosedRange<Int> {
    /// Returns the parts of a range outside this one: at most one below it and one above it.
    fileprivate func removed(from range: ClosedRange<Int>) -> [ClosedRange<Int>] {
        guard overlaps(range) else { return [range] }
        var rest: [ClosedRange<Int>] = []
        if range.lowerBound < lowerBound { rest.append(range.lowerBound...(lowerBound - 1)) }
        if range.upperBound > upperBound { rest.append((upperBound + 1)...range.upperBound) }
        return rest
    }
}
