import Foundation
import Waybill

/// Entities that a mock server has at its start.
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

    /// The type of the entities, and its name.
    let type: (id: ObjectIdentifier, name: String)?

    /// Creates seeds from entities that encode themselves.
    ///
    /// - Parameters:
    ///   - entities: the entities.
    ///   - path: the path of the collection, of its list or of the singleton; nil for the resource of that type.
    public init<Element: Encodable & Sendable>(_ entities: [Element], at path: String? = nil) {
        content = .values(entities)
        type = (ObjectIdentifier(Element.self), "\(Element.self)")
        self.path = path
    }

    /// Creates seeds from JSON: an array, or an object for a singleton.
    ///
    /// - Parameters:
    ///   - json: the text.
    ///   - path: the path of the collection, of its list or of the singleton.
    public init(json: String, at path: String) {
        content = .json(json)
        type = nil
        self.path = path
    }
}

extension Seeds {
    /// Collects the seeds of a mock server.
    @resultBuilder
    public enum Builder {
        /// Joins the seeds.
        public static func buildBlock(_ seeds: Seeds...) -> [Seeds] { seeds }

        /// Joins the seeds of a loop.
        public static func buildArray(_ seeds: [[Seeds]]) -> [Seeds] { seeds.flatMap { $0 } }
    }
}

extension Seeds {
    /// Seeds that cannot be kept.
    public struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
        /// The reason, and the way out.
        public let description: String
    }
}
