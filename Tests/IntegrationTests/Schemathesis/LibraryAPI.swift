import Foundation
import Waybill
import WaybillDescription

/// An API with one resource of each kind, for a program that calls the mock server as its OpenAPI document describes.
struct LibraryAPI: DescribedAPI {
    let client: Client

    init(_ url: URL) {
        client = Client(url) {
            Envelope("data")
            Decode(keys: .convertFromSnakeCase)
            Encode(keys: .convertToSnakeCase)
            Problem(Problem.Details.self, contentTypes: ["application/problem+json"])
        }
    }

    /// Integer ids and numbered pages.
    var books: Resource<Book, Everything> {
        resource("books") {
            Paginated(.pageNumber(size: .query("per_page", 2), total: .value("meta", "count")))
            On(.list) { Metadata(Totals.self, at: "meta") }
        }
    }

    /// UUID ids and cursor pagination.
    var members: Resource<Member, ReadWrite> {
        resource("members") {
            Paginated(.cursor(at: "next", as: "after", size: .query("limit", 3)))
        }
    }

    /// Nested, without an envelope, paginated with links.
    func reviews(of book: Book.ID) -> Resource<Review, ReadWrite> {
        resource("books/\(book, name: "book")/reviews") {
            Envelope.none
            Paginated(.link(size: .query("size", 4)))
        }
    }

    var profile: Singleton<Profile, Account> { singleton("profile") }

    func search(_ text: String, genres: [Book.Genre], since: Date?, limit: Int?) -> Endpoint<[Book]> {
        endpoint {
            GET("search")
            Query("q", text)
            Query("genre", genres, as: .commaSeparated)
            Query("since", since)
            Query("limit", limit)
            Header("X-Trace", "7")
        }
    }

    func loan(of book: Book.ID, to member: Member.ID) -> Endpoint<Loan> {
        endpoint {
            POST("loans")
            Body(Loan(book: book, member: member, media: .paper(pages: 120), notes: ["shelf": nil]))
        }
    }

    func order(_ title: String) -> Endpoint<Book> {
        endpoint {
            POST("orders")
            Body(["title": title])
            Success(202)
        }
    }

    func rename(_ name: String) -> Endpoint<Void> {
        endpoint {
            POST("rename")
            Body(form: ["name": name])
        }
    }

    func cover(_ image: Data) -> Endpoint<Void> {
        endpoint {
            POST("covers")
            Multipart {
                Multipart.Part("title", "Dawn")
                Multipart.Part("image", image, fileName: "dawn.jpg", contentType: "image/jpeg")
            }
        }
    }

    func text(of book: Book.ID) -> Endpoint<String> {
        endpoint {
            GET("books/\(book)/text")
            Envelope.none
        }
    }

    func scan(of book: Book.ID) -> Endpoint<Data> { endpoint { GET("books/\(book)/scan") } }

    var calls: APIDescription {
        books
        members
        reviews(of: 1)
        profile
        search("lamp", genres: [.novel, .essay], since: Date(timeIntervalSince1970: 0), limit: 5)
        loan(of: 1, to: Member.ada.id)
        order("Dune")
        rename("Library")
        cover(Data([1]))
        text(of: 1)
        scan(of: 1)
    }
}

extension LibraryAPI {
    enum Everything: Listable, Readable, Creatable, Updatable, Patchable, Deletable, BatchCreatable, BatchUpdatable {}

    enum Account: Readable, Updatable, Patchable {}

    struct Book: Entity {
        var id: Int
        var title: String
        var unitPrice: Decimal
        var genre: Genre
        var tags: Set<String>?
        var parts: [String: [Int]]

        enum Genre: String, Codable, Sendable { case novel, essay }

        struct Draft: Codable, Sendable {
            var title: String
            var unitPrice: Decimal
        }

        struct Patch: Codable, Sendable {
            var title: String?
            var unitPrice: Decimal?
            var genre: Genre?
        }

        static let dune = Self(id: 1, title: "Dune", unitPrice: 12, genre: .novel, parts: ["one": [1, 2]])
        static let walden = Self(id: 2, title: "Walden", unitPrice: 9, genre: .essay, tags: ["woods"], parts: [:])
    }

    struct Member: Entity {
        var id: UUID
        var name: String
        var joined: Date
        var age: UInt8
        var site: URL?

        struct Draft: Codable, Sendable {
            var name: String
            var joined: Date?
        }

        static let ada = Self(
            id: UUID(uuid: (1, 2, 3, 4, 5, 6, 0x47, 8, 0x89, 10, 11, 12, 13, 14, 15, 16)),
            name: "Ada",
            joined: Date(timeIntervalSince1970: 86_400),
            age: 36
        )
    }

    struct Review: Entity {
        var id: Int64
        var stars: Int8
        var text: String?
    }

    struct Profile: Representation {
        var name: String
        var photo: Data
        var address: Address?

        struct Address: Codable, Sendable {
            var city: String
            var isPrivate: Bool
        }

        struct Patch: Codable, Sendable {
            var name: String?
            var address: Address?
        }
    }

    struct Totals: Codable, Sendable { var count: Int }

    struct Loan: Codable, Sendable {
        var book: Int
        var member: UUID
        var media: Media
        var notes: [String: String?]

        enum Media: Codable, Sendable {
            case paper(pages: Int)
            case audio(minutes: Double)
        }
    }
}
