import Foundation
import Waybill

/// The initial entities of a mock server.
///
/// ```swift
/// Seeds([lamp, rug])                              // in the resource of their type
/// Seeds([review], at: "products/7/reviews")       // in one of several
/// Seeds(json: #"[{"id": 7, "name": "Lamp"}]"#, at: "products")
/// ```
public struct Seeds: Sendable {
    enum Content: Sendable {
        case values([any Encodable & Sendable])
        case json(String)
    }

    let content: Content
    let path: String?

    /// The identity and name of the entities' type; nil for JSON.
    let type: (id: ObjectIdentifier, name: String)?

    /// Creates seeds from encodable entities.
    ///
    /// - Parameters:
    ///   - entities: the entities.
    ///   - path: the path of the collection, of its list, or of the singleton; nil for the resource of the entities'
    ///     type.
    public init<Element: Encodable & Sendable>(_ entities: [Element], at path: String? = nil) {
        content = .values(entities)
        type = (ObjectIdentifier(Element.self), "\(Element.self)")
        self.path = path
    }

    /// Creates seeds from JSON: an array, or an object for a singleton.
    ///
    /// - Parameters:
    ///   - json: the JSON text.
    ///   - path: the path of the collection, of its list, or of the singleton.
    public init(json: String, at path: String) {
        content = .json(json)
        type = nil
        self.path = path
    }
}

extension Seeds {
    /// A result builder for the seeds of a mock server.
    @resultBuilder
    public enum Builder {
        /// Combines the seeds of a block.
        ///
        /// - Parameter seeds: the seeds.
        /// - Returns: the seeds.
        public static func buildBlock(_ seeds: Seeds...) -> [Seeds] { seeds }

        /// Combines the seeds of a loop.
        ///
        /// - Parameter seeds: the seeds of each iteration.
        /// - Returns: the seeds.
        public static func buildArray(_ seeds: [[Seeds]]) -> [Seeds] { seeds.flatMap { $0 } }
    }
}

extension Seeds {
    /// The error for seeds that a mock server cannot store.
    public struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
        /// The reason, and how to fix it.
        public let description: String
    }
}
