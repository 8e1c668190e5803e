extension Route {
    /// The path of a request: a string literal with interpolated values.
    ///
    /// An interpolated value becomes one percent-encoded segment, or part of one (`"\(id).json"`). All characters
    /// except unreserved ones are encoded, so values cannot change the path's structure. Empty values and the
    /// segments `.` and `..` are rejected with an ``APIError/RequestFailure`` before anything is sent.
    ///
    /// ```swift
    /// GET("products/\(id)/reviews")               // products/42/reviews, template products/{}/reviews
    /// GET("repos/\(segments: ["app", "web"])")    // repos/app/web, template repos/{+}
    /// GET("resets/\(secret: token)")              // the same as \(token), but texts do not show it
    /// ```
    ///
    /// Paths are appended to the client's base URL. A leading slash is ignored, but a trailing one is kept. Declare
    /// queries with ``Query``, not in the path. Escapes such as `%20` in the literal are kept; other characters are
    /// encoded as needed.
    public struct Path: Sendable, Hashable, ExpressibleByStringInterpolation {
        /// A placeholder in the path of a resource operation; see ``On``.
        public enum Placeholder: Sendable, Hashable {
            /// The id passed to the operation.
            case id
            /// The path of the resource.
            case resource
        }

        package enum Piece: Sendable, Hashable {
            case literal(String)
            case value(String, DeclaredValue)
            case secret(String, DeclaredValue)
            case segments([String])
            case placeholder(Placeholder)
        }

        package private(set) var pieces: [Piece]

        package init(pieces: [Piece]) { self.pieces = pieces }

        /// Creates a path from a literal.
        ///
        /// - Parameter path: the path, in which escapes are kept and other characters are encoded as needed.
        public init(stringLiteral path: String) { pieces = path.isEmpty ? [] : [.literal(path)] }

        /// Creates a path from a literal with interpolated values.
        ///
        /// - Parameter stringInterpolation: the collected pieces.
        public init(stringInterpolation: StringInterpolation) { pieces = stringInterpolation.pieces }

        /// Creates a path from a list of segments known only at run time.
        ///
        /// Each segment is encoded like an interpolated value. An empty list represents the base URL.
        ///
        /// - Parameter segments: the segments, not percent-encoded.
        public init(segments: [String]) { pieces = [.segments(segments)] }

        /// The collected pieces of an interpolated path.
        public struct StringInterpolation: StringInterpolationProtocol {
            fileprivate var pieces: [Piece] = []

            /// Creates an empty interpolation.
            ///
            /// - Parameters:
            ///   - literalCapacity: the length of all literal parts; not used.
            ///   - interpolationCount: the number of interpolated values.
            public init(literalCapacity: Int, interpolationCount: Int) {
                pieces.reserveCapacity(interpolationCount * 2 + 1)
            }

            /// Appends a literal part.
            ///
            /// - Parameter literal: the literal part.
            public mutating func appendLiteral(_ literal: String) {
                if !literal.isEmpty { pieces.append(.literal(literal)) }
            }

            /// Appends a value as a segment or part of one.
            ///
            /// - Parameter value: the value, which is percent-encoded.
            public mutating func appendInterpolation<Value: PathSegmentConvertible>(_ value: Value) {
                pieces.append(.value(value.segmentText, DeclaredValue(Value.self)))
            }

            /// Appends a value as a segment or part of one, and names it for API descriptions.
            ///
            /// The name does not affect requests, errors, events or stubs.
            ///
            /// ```swift
            /// GET("orders/\(order, name: "order")/lines/\(line, name: "line")")
            /// ```
            ///
            /// - Parameters:
            ///   - value: the value, which is percent-encoded.
            ///   - name: the value's name in API descriptions.
            public mutating func appendInterpolation<Value: PathSegmentConvertible>(_ value: Value, name: String) {
                pieces.append(.value(value.segmentText, DeclaredValue(Value.self, name: name)))
            }

            /// Appends a secret value, redacted in errors, events and logs, as a segment or part of one.
            ///
            /// - Parameter value: the value, which is percent-encoded.
            public mutating func appendInterpolation<Value: PathSegmentConvertible>(secret value: Value) {
                pieces.append(.secret(value.segmentText, DeclaredValue(Value.self)))
            }

            /// Appends each value as a segment.
            ///
            /// An empty list is rejected unless it is the whole path, in which case it represents the base URL.
            ///
            /// - Parameter segments: the values, which are percent-encoded.
            public mutating func appendInterpolation(segments: [some PathSegmentConvertible]) {
                pieces.append(.segments(segments.map(\.segmentText)))
            }

            /// Does not compile: a nil value would leave an empty segment.
            ///
            /// - Parameter value: an optional value.
            @available(
                *,
                unavailable,
                message: "an optional cannot be part of a path; unwrap it first, with `if let` or `??`"
            )
            public mutating func appendInterpolation<Value>(_ value: Value?) {}

            /// Does not compile: an array would be several segments.
            ///
            /// - Parameter values: the values, each of which would be a segment.
            @available(*, unavailable, message: "an array is several segments: write \\(segments: ids)")
            public mutating func appendInterpolation<Value>(_ values: [Value]) {}

            /// Does not compile: values of this type cannot be path segments.
            ///
            /// - Parameter value: a value of a type that is not ``PathSegmentConvertible``.
            @available(
                *,
                unavailable,
                message: "not a path segment: use a PathSegmentConvertible value, such as an entity's id"
            )
            public mutating func appendInterpolation<Value>(_ value: Value) {}

            /// Appends a placeholder, which is replaced when the operation is called.
            ///
            /// - Parameter placeholder: the placeholder.
            public mutating func appendInterpolation(_ placeholder: Placeholder) {
                pieces.append(.placeholder(placeholder))
            }
        }

        /// Whether the path ends in a slash.
        package var endsInSlash: Bool {
            if case .literal(let text) = pieces.last { text.hasSuffix("/") } else { false }
        }

        /// Returns the path of an item below this one.
        ///
        /// A trailing slash moves to the end.
        package func item(_ id: OperationID) -> Path {
            var item: [Piece] = []
            item.reserveCapacity(pieces.count + 2)
            item += pieces
            if !endsInSlash, !pieces.isEmpty { item.append(.literal("/")) }
            item.append(.value(id.segment, id.declared))
            if endsInSlash { item.append(.literal("/")) }
            return Path(pieces: item)
        }

        /// Returns the path with placeholders replaced.
        ///
        /// Placeholders whose replacement is nil are kept.
        package func replacing(id: OperationID?, resource: Path?) -> Path {
            guard pieces.contains(where: \.isPlaceholder) else { return self }
            var replaced: [Piece] = []
            for (index, piece) in pieces.enumerated() {
                switch piece {
                case .placeholder(.id): replaced.append(id.map { .value($0.segment, $0.declared) } ?? piece)
                case .placeholder(.resource):
                    // If a slash follows, the trailing slash of the resource path is dropped.
                    let isFollowed = pieces.dropFirst(index + 1).first?.beginsWithSlash ?? false
                    replaced += (isFollowed ? resource?.withoutSlashAtEnd : resource)?.pieces ?? [piece]
                default: replaced.append(piece)
                }
            }
            return Path(pieces: replaced)
        }

        /// Returns the path with a value replaced.
        ///
        /// - Parameters:
        ///   - old: the complete text of an interpolated value.
        ///   - new: the replacement.
        /// - Returns: the path; its literals are unchanged.
        package func replacing(value old: String, by new: String) -> Path {
            Path(
                pieces: pieces.map { piece in
                    switch piece {
                    case .value(old, let declared): .value(new, declared)
                    case .secret(old, let declared): .secret(new, declared)
                    case .segments(let segments): .segments(segments.map { $0 == old ? new : $0 })
                    default: piece
                    }
                }
            )
        }

        private var withoutSlashAtEnd: Path {
            guard endsInSlash, case .literal(let text) = pieces.last else { return self }
            return Path(pieces: pieces.dropLast() + [.literal(String(text.dropLast()))])
        }
    }
}

extension Route.Path.Piece {
    fileprivate var isPlaceholder: Bool {
        if case .placeholder = self { true } else { false }
    }

    fileprivate var beginsWithSlash: Bool {
        if case .literal(let text) = self { text.hasPrefix("/") } else { false }
    }
}

extension Route.Path: CustomStringConvertible, CustomReflectable {
    /// The path with its values, redacting secret ones: `resets/‹redacted›`.
    public var description: String {
        pieces.map { piece in
            switch piece {
            case .literal(let text), .value(let text, _): text
            case .secret: Redaction.mark
            case .segments(let segments): segments.joined(separator: "/")
            case .placeholder(let placeholder): "{\(placeholder)}"
            }
        }.joined()
    }

    /// The description only, because the properties may contain secrets.
    public var customMirror: Mirror { Mirror(self, children: ["path": description], displayStyle: .struct) }
}
