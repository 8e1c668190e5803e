import Foundation
import Waybill

/// An API by the JSON:API specification: blogs, their entries, and the comments on those.
struct BlogAPI: API {
    let client: Client

    init(_ url: URL, transport: some Transport = .default) {
        client = Client(url, transport: transport) {
            Style.jsonAPI
            // As the style has it, and with the total that this server gives.
            Paginated(
                .next(
                    at: "links",
                    "next",
                    previous: .value("links", "prev"),
                    size: PageSize("page[size]", 10),
                    total: .value("meta", "pagination", "count")
                )
            )
        }
    }

    var blogs: Resource<Blog, ReadWrite> { resource("blogs") }

    /// The entries, with what they are related to beside them.
    ///
    /// - Parameter relations: which related resources to include, such as `comments`.
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

        /// What creating takes: the server gives the id.
        struct Draft: Encodable, Sendable {
            let type = "blog"
            var attributes: Attributes?
        }

        /// What patching takes: by the specification, a resource object with its type and id.
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

    /// A resource that came along with the ones that were asked for.
    struct Related: Decodable, Sendable {
        let type: String
        let id: String
        let attributes: JSONValue
    }

    /// Names a resource: its type and its id.
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
