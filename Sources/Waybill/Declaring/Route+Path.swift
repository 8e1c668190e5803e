extension Route {
    /// The path of a request: a string literal, into which values are interpolated as whole segments.
    ///
    /// An interpolated value becomes one percent-encoded segment, or a part of one (`"\(id).json"`), with all its
    /// characters, so nothing can be injected. Empty values, and the segments `.` and `..`, are rejected with a
    /// ``APIError/RequestFailure`` before anything is sent.
    ///
    /// ```swift
    /// GET("products/\(id)/reviews")               // products/42/reviews, template products/{}/reviews
    /// GET("repos/\(segments: ["app", "web"])")    // repos/app/web, template repos/{+}
    /// GET("resets/\(secret: token)")              // the same as \(token), but texts do not show it
    /// ```
    ///
    /// Paths are joined to the client's base URL; a slash in front is ignored, one at the end is kept. A query does not
    /// belong here: declare it with ``Query``. Escapes such as `%20` in the literal are kept; other characters that
    /// need encoding are encoded.
    public struct Path: Sendable, Hashable, ExpressibleByStringInterpolation {
        /// A placeholder in an override of an operation's path; see ``On``.
        public enum Placeholder: Sendable, Hashable {
            /// The id that the operation is called with.
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
        public init(stringLiteral path: String) { pieces = path.isEmpty ? [] : [.literal(path)] }

        /// Creates a path from a literal with values in it.
        public init(stringInterpolation: StringInterpolation) { pieces = stringInterpolation.pieces }

        /// Creates a path from segments that are known only at run time; each is encoded as a value, and no segments
        /// are the root: the base URL itself.
        ///
        /// - Parameter segments: the segments, each encoded by itself.
        public init(segments: [String]) { pieces = [.segments(segments)] }

        /// Collects the pieces of an interpolated path.
        public struct StringInterpolation: StringInterpolationProtocol {
            fileprivate var pieces: [Piece] = []

            /// Starts a path.
            public init(literalCapacity: Int, interpolationCount: Int) {
                pieces.reserveCapacity(interpolationCount * 2 + 1)
            }

            /// Adds a literal text.
            public mutating func appendLiteral(_ literal: String) {
                if !literal.isEmpty { pieces.append(.literal(literal)) }
            }

            /// Adds a value as one segment, or as part of one.
            public mutating func appendInterpolation<Value: PathSegmentConvertible>(_ value: Value) {
                pieces.append(.value(value.segmentText, DeclaredValue(Value.self)))
            }

            /// Adds a value as one segment, or as part of one, with the name that a description gives it.
            ///
            /// Requests, errors, events and stubs are the same without the name.
            ///
            /// ```swift
            /// GET("orders/\(order, name: "order")/lines/\(line, name: "line")")
            /// ```
            public mutating func appendInterpolation<Value: PathSegmentConvertible>(_ value: Value, name: String) {
                pieces.append(.value(value.segmentText, DeclaredValue(Value.self, name: name)))
            }

            /// Adds a value as one segment, or as part of one, that no text shows: errors, events and logs leave it
            /// out.
            public mutating func appendInterpolation<Value: PathSegmentConvertible>(secret value: Value) {
                pieces.append(.secret(value.segmentText, DeclaredValue(Value.self)))
            }

            /// Adds values as segments, one each; none at the start or at the end of a path are the root of what is
            /// there, and between two slashes they are a declaration error.
            ///
            /// - Parameter segments: the segments, each encoded by itself.
            public mutating func appendInterpolation(segments: [some PathSegmentConvertible]) {
                pieces.append(.segments(segments.map(\.segmentText)))
            }

            /// Does not compile: an optional could leave a hole in the path.
            @available(
                *,
                unavailable,
                message: "an optional cannot stand in a path; unwrap it first, with `if let` or `??`"
            )
            public mutating func appendInterpolation<Value>(_ value: Value?) {}

            /// Does not compile: an array is several segments.
            @available(*, unavailable, message: "an array is several segments: write \\(segments: ids)")
            public mutating func appendInterpolation<Value>(_ values: [Value]) {}

            /// Does not compile: not every value can be a segment.
            @available(
                *,
                unavailable,
                message: "not a path segment: give a PathSegmentConvertible, such as an entity's id"
            )
            public mutating func appendInterpolation<Value>(_ value: Value) {}

            /// Adds an argument of the operation.
            public mutating func appendInterpolation(_ placeholder: Placeholder) {
                pieces.append(.placeholder(placeholder))
            }
        }

        /// Whether the path ends in a slash.
        package var endsInSlash: Bool {
            if case .literal(let text) = pieces.last { text.hasSuffix("/") } else { false }
        }

        /// Returns the path of one item below this one; the slash at the end stays at the end.
        package func item(_ id: OperationID) -> Path {
            var item: [Piece] = []
            item.reserveCapacity(pieces.count + 2)
            item += pieces
            if !endsInSlash, !pieces.isEmpty { item.append(.literal("/")) }
            item.append(.value(id.segment, id.declared))
            if endsInSlash { item.append(.literal("/")) }
            return Path(pieces: item)
        }

        /// Returns the path with placeholders replaced; a placeholder without a value stays.
        package func replacing(id: OperationID?, resource: Path?) -> Path {
            guard pieces.contains(where: \.isPlaceholder) else { return self }
            var replaced: [Piece] = []
            for (index, piece) in pieces.enumerated() {
                switch piece {
                case .placeholder(.id): replaced.append(id.map { .value($0.segment, $0.declared) } ?? piece)
                case .placeholder(.resource):
                    // The slash at the end of a collection's path is the one at the start of the next piece.
                    let isFollowed = pieces.dropFirst(index + 1).first?.beginsWithSlash ?? false
                    replaced += (isFollowed ? resource?.withoutSlashAtEnd : resource)?.pieces ?? [piece]
                default: replaced.append(piece)
                }
            }
            return Path(pieces: replaced)
        }

        /// Returns the path with a value that is a text replaced by another text.
        func replacing(value old: String, by new: String) -> Path {
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
    /// The path with its values, of which secret ones are redacted: `resets/‹redacted›`.
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

    /// The description alone: the properties may have secrets.
    public var customMirror: Mirror { Mirror(self, children: ["path": description], displayStyle: .struct) }
}
