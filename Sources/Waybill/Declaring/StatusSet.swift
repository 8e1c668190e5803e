extension HTTPResponse {
    /// A set of statuses, for the clauses that hold for some of them.
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

        /// Creates a set of one status.
        public init(integerLiteral code: Int) { self.init(ranges: [code...code]) }

        /// Creates a set of several statuses.
        ///
        /// - Parameter codes: the statuses.
        public init(arrayLiteral codes: Int...) { self.init(ranges: codes.map { $0...$0 }) }

        /// Returns a range of statuses.
        ///
        /// - Parameter codes: the first and the last status.
        /// - Returns: the set.
        public static func codes(_ codes: ClosedRange<Int>) -> Self { Self(ranges: [codes]) }

        /// The statuses of success: 200...299.
        public static let success = Self.codes(200...299)
        /// The redirections: 300...399.
        public static let redirection = Self.codes(300...399)
        /// The failures of the request: 400...499.
        public static let clientErrors = Self.codes(400...499)
        /// The failures of the server: 500...599.
        public static let serverErrors = Self.codes(500...599)
        /// The failures of either side: 400...599.
        public static let failures = Self.codes(400...599)

        /// Whether the set has a status.
        ///
        /// - Parameter status: the status.
        /// - Returns: whether it is in the set.
        public func contains(_ status: HTTPResponse.Status) -> Bool { ranges.contains { $0.contains(status.code) } }

        /// Returns the statuses of either set.
        ///
        /// - Parameter other: the other set.
        /// - Returns: the union.
        public func union(_ other: HTTPResponse.StatusSet) -> HTTPResponse.StatusSet {
            Self(ranges: ranges + other.ranges)
        }

        /// The statuses from 100 to 599 that are in the set, in order.
        package var codes: [Int] {
            let all = 100...599
            return Set(ranges.filter { $0.overlaps(all) }.map { $0.clamped(to: all) }.joined()).sorted()
        }

        /// Returns the statuses that are not in another set.
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
    /// Returns what is left of a range without the values of this one: at most one range below it and one above it.
    fileprivate func removed(from range: ClosedRange<Int>) -> [ClosedRange<Int>] {
        guard overlaps(range) else { return [range] }
        var rest: [ClosedRange<Int>] = []
        if range.lowerBound < lowerBound { rest.append(range.lowerBound...(lowerBound - 1)) }
        if range.upperBound > upperBound { rest.append((upperBound + 1)...range.upperBound) }
        return rest
    }
}
