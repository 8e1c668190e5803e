import Foundation
import Testing
import Waybill

@Suite("JSON:API", .running(.jsonapi))
struct BlogTests {
    typealias Blog = BlogAPI.Blog

    @Test("A JSON:API entity is created, read, patched and deleted", arguments: TransportUnderTest.all)
    func lifeOfABlog(over transport: TransportUnderTest) async throws {
        let blogs = BlogAPI(over: transport).blogs
        let name = uniqueName()
        try await withTemporary(Blog.Draft(attributes: .init(name: name)), in: blogs) { blog in
            #expect(blog.attributes.name == name)
            #expect(try await blogs.read(blog.id) == blog)

            let patch = Blog.Patch(id: blog.id, attributes: .init(name: "\(name) 2"))
            let patched = try await blogs.patch(blog.id, patch)
            #expect(patched.attributes.name == "\(name) 2")
            #expect(try await blogs.refresh(blog) == patched)

            try await blogs.delete(blog.id)
            let error = try await failure { try await blogs.read(blog.id) }
            #expect(error.isNotFound)
            let problem = try #require(error.problem(as: Style.JSONAPIProblem.self))
            #expect(problem.errors.map(\.code) == ["not_found"])
            #expect(problem.errors.map(\.status) == ["404"])
        }
    }

    @Test("JSON:API requests and responses use its media type", arguments: TransportUnderTest.all)
    func mediaType(over transport: TransportUnderTest) async throws {
        let blogs = BlogAPI(over: transport).blogs
        let creation = blogs.endpoints.create(.init(attributes: .init(name: uniqueName())))
        #expect(try creation.headerFields[.accept] == "application/vnd.api+json")
        #expect(try creation.headerFields[.contentType] == "application/vnd.api+json")
        let response = try await creation.response()
        #expect(response.status == 201)
        #expect(response.headerFields[.contentType] == "application/vnd.api+json")
        #expect(response.url(in: .location)?.lastPathComponent == response.value.id)
        try await blogs.delete(response.value.id)
    }

    @Test("JSON:API links visit every entry once, and lead back", arguments: TransportUnderTest.all)
    func paging(over transport: TransportUnderTest) async throws {
        let entries = BlogAPI(over: transport).entries()
        let all = try await entries.all.collect()
        let seeds = all.map(\.attributes.headline).filter { $0.hasPrefix("Entry ") }
        #expect(seeds == (1...23).map { $0 < 10 ? "Entry 0\($0)" : "Entry \($0)" })

        let first = try await entries.page()
        #expect(first.items.count == 10)
        #expect(first.total == all.count)
        #expect(first.previous == nil)
        let next = try #require(first.next)
        let second = try await entries.page(at: next)
        #expect(second.items.map(\.id) == all[10..<20].map(\.id))
        let previous = try #require(second.previous)
        #expect(try await entries.page(at: previous).items.map(\.id) == first.items.map(\.id))
    }

    @Test("Related JSON:API resources are decoded as metadata", arguments: TransportUnderTest.all)
    func included(over transport: TransportUnderTest) async throws {
        let entries = BlogAPI(over: transport).entries(including: ["comments", "authors"])
        let response = try await entries.endpoints.read("1").response()
        let comments = response.value.relationships.comments.data.map(\.id)
        #expect(!comments.isEmpty)
        let related = try #require(response.metadata([BlogAPI.Related].self))
        #expect(Set(related.map(\.type)) == ["comment", "author"])
        #expect(related.filter { $0.type == "comment" }.map(\.id) == comments)
        #expect(related.contains { $0.attributes["body"]?.stringValue?.isEmpty == false })

        let page = try await entries.page()
        #expect(page.response.metadata([BlogAPI.Related].self)?.isEmpty == false)
    }

    @Test("JSON:API relationships are sent as identifiers", arguments: TransportUnderTest.all)
    func relationships(over transport: TransportUnderTest) async throws {
        let comments = BlogAPI(over: transport).comments
        let entry = BlogAPI.Identifier(type: "entry", id: "1")
        let draft = BlogAPI.Comment.Draft(
            attributes: .init(body: uniqueName()),
            relationships: .init(entry: .init(data: entry))
        )
        try await withTemporary(draft, in: comments) { comment in
            #expect(comment.attributes.body == draft.attributes.body)
            #expect(comment.relationships.entry.data == entry)
        }
    }

    @Test("A JSON:API problem points to the invalid member", arguments: TransportUnderTest.all)
    func pointers(over transport: TransportUnderTest) async throws {
        let api = BlogAPI(over: transport)
        let nameless = try await statusFailure { try await api.blogs.create(.init(attributes: .init(name: ""))) }
        #expect(nameless.status == 400)
        #expect(
            nameless.problem(as: Style.JSONAPIProblem.self)?.errors.map(\.source?.pointer) == ["/data/attributes/name"]
        )
        #expect(
            APIError.status(nameless).description
                .contains("problem: /data/attributes/name: This field may not be blank.")
        )

        let unrelated = try await statusFailure {
            try await api.comments.create(.init(attributes: .init(body: "Which entry?"), relationships: nil))
        }
        #expect(
            unrelated.problem(as: Style.JSONAPIProblem.self)?.errors.map(\.source?.pointer)
                == ["/data/relationships/entry"]
        )

        let unknown = try await statusFailure { try await api.entries(including: ["lamps"]).list() }
        #expect(unknown.status == 400)
        #expect(unknown.problem(as: Style.JSONAPIProblem.self)?.errors.map(\.code) == ["parse_error"])
    }

    @Test("Creating a JSON:API resource of the wrong type is a conflict", arguments: TransportUnderTest.all)
    func conflict(over transport: TransportUnderTest) async throws {
        let creation: Endpoint<Blog> = BlogAPI(over: transport).endpoint {
            POST("blogs")
            Body(["type": "lamp"])
        }
        let failure = try await statusFailure(creation.send)
        #expect(failure.status == 409)
        #expect(failure.problem(as: Style.JSONAPIProblem.self)?.errors.first?.source?.pointer == "/data")
    }

    @Test("A JSON:API difference is sent as a resource object", arguments: TransportUnderTest.all)
    func difference(over transport: TransportUnderTest) async throws {
        let blogs = BlogAPI(over: transport).blogs
        try await withTemporary(Blog.Draft(attributes: .init(name: uniqueName())), in: blogs) { blog in
            var renamed = blog
            renamed.attributes.name += " 2"
            let patched = try await blogs.patch(from: blog, to: renamed)
            #expect(patched == renamed)
        }
    }
}

extension BlogAPI {
    init(over transport: TransportUnderTest) { self.init(Server.jsonapi.url, transport: transport.transport) }
}
