import Foundation
import Testing
import Waybill
import WaybillDescription
import WaybillTesting

@Suite("Request body members in mock servers")
struct MockMemberTests {
    private let server: MockServer
    private let library: Library

    init() throws {
        server = try MockServer(Library()) {
            Seeds([Book.emma])
            Seeds([Author.jane, Author(id: 4, name: "Mary")])
        }
        library = Library(server.url)
    }

    @Test("An update keeps the members that its body type lacks") func keptMembers() async throws {
        let book = try await library.books.update(1, .init(note: "new", shelf: .init(room: "B")))
        #expect(book.title == "Emma" && book.note == "new")
        #expect(book.shelf == .init(room: "B", row: 2))
        #expect(try await library.books.read(1) == book)
    }

    @Test("An update removes an omitted optional member and keeps an omitted required one")
    func omittedMembers() async throws {
        let book = try await library.books.update(1, .init(note: nil, shelf: .init(room: nil)))
        #expect(book.note == nil && book.shelf == .init(room: "A", row: 2))
    }

    @Test("An update with a complete entity replaces the stored one") func wholeEntities() async throws {
        let author = try await library.authors.update(Author(id: 3, name: "J"))
        #expect(author == Author(id: 3, name: "J", born: nil))
        #expect(try await library.authors.read(3) == author)
    }

    @Test("The id of another entity in a draft is resolved to that entity") func references() async throws {
        let book = try await library.books.create(.init(title: "Frankenstein", author: 4, readers: [3, 4]))
        #expect(book.author == Author(id: 4, name: "Mary"))
        #expect(book.readers.map(\.name) == ["Jane", "Mary"])
        #expect(try await library.books.read(book.id) == book)
    }

    @Test("The id of an unknown entity in a draft becomes an example entity with that id") func unknownReferences()
        async throws
    {
        let book = try await library.books.create(.init(title: "Dracula", author: 9, readers: []))
        #expect(book.author.id == 9 && book.author.name == "text")
    }

    @Test("An object in place of an id in a draft becomes the id") func objectForID() async throws {
        let loan = try await library.loans.create(.init(book: .init(id: 7), days: "3"))
        #expect(loan.book == 7)
    }

    @Test("A member that cannot be converted to the entity's member gets 501 with its name")
    func otherShapes() async throws {
        let error = await #expect(throws: APIError.self) {
            try await library.loans.create(.init(book: .init(id: 7), days: "three"))
        }
        #expect(error?.status == 501)
        let text = "\(error.map { "\($0)" } ?? "")"
        #expect(text.contains("cannot convert the member days"), "\(text)")
        #expect(try await library.loans.list().isEmpty)
    }

    @Test("A patch of unknown nested members gets 422 with their paths and changes nothing")
    func nestedPatches() async throws {
        let call: Endpoint<JSONValue> = library.endpoint {
            PATCH("books/\(1)")
            Body(Data(#"{"shelf": {"room": "C", "colour": "red"}}"#.utf8), contentType: "application/json")
        }
        let error = await #expect(throws: APIError.self) { try await call.send() }
        #expect(error?.status == 422)
        let text = "\(error.map { "\($0)" } ?? "")"
        #expect(text.contains("does not know what a patch changes by shelf.colour"), "\(text)")
        #expect(try await library.books.read(1).shelf.room == "A")
    }

    @Test("Empty and nonempty arrays are read from a form", arguments: Query.ArrayStyle.allCases)
    func emptyArrays(arrays: Query.ArrayStyle) async throws {
        let server = try MockServer(Forms(arrays: arrays)) { Seeds([Labels(id: 1, names: ["a", "b"], sizes: [1])]) }
        let forms = Forms(server.url, arrays: arrays)
        let labels = try await forms.labels.read(1)
        var changed = labels
        (changed.names, changed.sizes) = ([], [])
        #expect(try await forms.labels.patch(from: labels, to: changed) == changed)
        #expect(try await forms.labels.update(changed) == changed)
        changed.names = ["x"]
        changed.sizes = [4, 5]
        #expect(try await forms.labels.update(changed) == changed)
    }
}

private struct Author: Entity, Equatable {
    let id: Int
    var name: String
    var born: Int?
    static let jane = Author(id: 3, name: "Jane", born: 1775)
}

private struct Book: Entity, Equatable {
    struct Shelf: Codable, Sendable, Equatable {
        var room: String
        var row: Int
    }

    let id: Int
    var title: String
    var note: String?
    var shelf: Shelf
    var author: Author
    var readers: [Author]

    static let emma = Book(
        id: 1,
        title: "Emma",
        note: "old",
        shelf: .init(room: "A", row: 2),
        author: Author.jane,
        readers: []
    )

    struct Draft: Codable, Sendable {
        var title: String
        var author: Int
        var readers: [Int]
    }

    struct Replacement: Codable, Sendable {
        struct Shelf: Codable, Sendable { var room: String? }
        var note: String?
        var shelf: Shelf
    }
}

private struct Loan: Entity {
    let id: Int
    var book: Int
    var days: Int

    struct Draft: Codable, Sendable {
        struct Reference: Codable, Sendable { var id: Int }
        var book: Reference
        var days: String
    }
}

private struct Library: DescribedAPI {
    enum Everything: Listable, Readable, Creatable, Updatable, Patchable, Deletable {}

    let client: Client

    init(_ url: URL = .mocked) { client = Client(url) {} }

    var books: Resource<Book, Everything> { resource("books") }
    var authors: Resource<Author, Everything> { resource("authors") }
    var loans: Resource<Loan, Everything> { resource("loans") }

    var calls: APIDescription {
        books
        authors
        loans
    }
}

private struct Labels: Entity, Equatable {
    let id: Int
    var names: [String]
    var sizes: [Int]
}

private struct Forms: DescribedAPI {
    enum Access: Listable, Readable, Updatable, Patchable {}

    let client: Client

    init(_ url: URL = .mocked, arrays: Query.ArrayStyle) {
        client = Client(url) { Body.Format(as: .form(arrays: arrays, empties: .empty)) }
    }

    var labels: Resource<Labels, Access> { resource("labels") }

    var calls: APIDescription { labels }
}
