import Foundation
import Waybill

/// An API that follows the JSON:API specification: blogs, their entries, and the entries' comments.
struct BlogAPI: API {
    let client: Client

    init(_ url: URL, transport: some Transport = .default) {
        client = Client(url, transport: transport) {
            Style.jsonAPI
            // The style's pagination, plus the total that this server sends.
            Paginated(
                .next(
                    at: "links",
                    "next",
                    previous: .value("links", "prev"),
                    size: .query("page[size]", 10),
                    total: .value("meta", "pagination", "count")
                )
            )
        }
    }

    var blogs: Resource<Blog, ReadWrite> { resource("blogs") }

    /// Returns the entries and their related resources.
    ///
    /// - Parameter relations: the kinds of related resources to include, such as `comments`.
    func entries(including relations: [String] = []) -> Resource<Entry, ReadOnly> {
        resource("entries") {
            Query("include", relations, as: .commaSeparated)
            Metadata([Related]?.self, at: "included")
        }
    }

    var comments: Resource<Comment, ReadWrite> { resource("comments") }
}

extension BlogAPI {
    struct Blog: Entity, Equatable {
        let id: String
        var type = "blog"
        var attributes: Attributes

        struct Attributes: Codable, Sendable, Equatable {
            var name: String
        }

        /// The body that creates an entry; the server assigns the id.
        struct Draft: Encodable, Sendable {
            let type = "blog"
            var attributes: Attributes?
        }

        /// The body of a patch: a resource object with type and id, as the specification requires.
        struct Patch: Encodable, Sendable {
            let type = "blog"
            var id: Blog.ID
            var attributes: Attributes
        }
    }

    struct Entry: Entity {
        let id: String
        var type = "entry"
        var attributes: Attributes
        var relationships: Relationships

        struct Attributes: Codable, Sendable {
            var headline: String
            var bodyText: String?
        }

        struct Relationships: Codable, Sendable {
            var blog: ToOne
            var comments: ToMany
        }
    }

    struct Comment: Entity {
        let id: String
        var type = "comment"
        var attributes: Attributes
        var relationships: Relationships

        struct Attributes: Codable, Sendable {
            var body: String
        }

        struct Relationships: Codable, Sendable {
            var entry: ToOne
        }

        struct Draft: Encodable, Sendable {
            let type = "comment"
            var attributes: Attributes
            var relationships: Relationships?
        }
    }

    /// A resource that the response includes in addition to the requested ones.
    struct Related: Decodable, Sendable {
        let type: String
        let id: String
        let attributes: JSONValue
    }

    /// The identity of a resource: its type and its id.
    struct Identifier: Codable, Sendable, Equatable {
        var type: String
        var id: String
    }

    struct ToOne: Codable, Sendable, Equatable {
        var data: Identifier?
    }

    struct ToMany: Codable, Sendable, Equatable {
        var data: [Identifier]
    }
}
