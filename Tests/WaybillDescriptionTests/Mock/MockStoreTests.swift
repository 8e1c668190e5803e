import Foundation
import Testing
import Waybill
import WaybillDescription
import WaybillTesting

@Suite("Entities stored by mock servers")
struct MockStoreTests {
    private let server: MockServer
    private let lab: Lab

    init() throws {
        server = try MockServer(Lab()) {
            Seeds([Experiment(experimentId: "e1", name: "one"), Experiment(experimentId: "e2", name: "two")])
            Seeds([Function(functionName: "greet", memory: 128)], at: "functions/")
        }
        lab = Lab(server.url)
    }

    @Test("A created entity is listed, read, patched and deleted at other paths") func paths() async throws {
        let made = try await lab.tasks.create(.init(title: "Sweep"))
        #expect(try await lab.tasks.list().map(\.id) == [made.id])
        #expect(try await lab.tasks.read(made.id) == made)
        #expect(try await lab.tasks.patch(made.id, .init(title: "Mop")).title == "Mop")
        try await lab.tasks.delete(made.id)
        #expect(try await lab.tasks.list() == [])
    }

    @Test("The location of a new entity is its read path") func locations() async throws {
        let response = try await lab.tasks.endpoints.create(.init(title: "Sweep")).response()
        #expect(response.headerFields[.location] == "/tasks/by-id/1")
        #expect(try await lab.rereadTasks.create(.init(title: "Mop")).title == "Mop")
        let experiment = try await lab.experiments.endpoints.create(.init(name: "three")).response()
        #expect(experiment.headerFields[.location] == "/experiments/get?experiment_id=1")
    }

    @Test("Procedures with the id in the query or the body reach the entity") func procedures() async throws {
        #expect(try await lab.experiments.read("e2").name == "two")
        let made = try await lab.experiments.create(.init(name: "three"))
        #expect(try await lab.experiments.read(made.id).name == "three")
        #expect(try await lab.experiments.patch("e1", .init(name: "first")).name == "first")
        try await lab.experiments.delete("e1")
        let names = try await lab.experiments.all.collect().map(\.name)
        #expect(names == ["two", "three"])
    }

    @Test("A list is paged by a size and a token in the body") func bodyPaging() async throws {
        for number in 3...5 { _ = try await lab.experiments.create(.init(name: "\(number)")) }
        var counts: [Int] = []
        for try await page in lab.experiments.pages { counts.append(page.items.count) }
        #expect(counts == [2, 2, 1])
    }

    @Test("A procedure request without an id gets 400") func missingIDs() async throws {
        let call: Endpoint<Void> = Client(server.url) {}.endpoint { GET("experiments/get") }
        let error = await #expect(throws: APIError.self) { try await call.send() }
        #expect(error?.status == 400)
        #expect("\(error.map { "\($0)" } ?? "")".contains("the query item experiment_id"))
    }

    @Test("An entity's id is found by its coding, whatever the key") func idKeys() async throws {
        #expect(try await lab.functions.read("greet").memory == 128)
        #expect(try await lab.functions.create(.init(functionName: "part", memory: 256)).id == "part")
        #expect(try await lab.functions.read("part").memory == 256)
        let object = try await lab.objects.create(.init(metadata: .init(name: "web"), size: 2))
        #expect(object.id == "web")
        #expect(try await lab.objects.read("web").size == 2)
    }

    @Test("A client-chosen name that is already taken gets 409") func takenNames() async throws {
        let error = await #expect(throws: APIError.self) {
            try await lab.functions.create(.init(functionName: "greet", memory: 1))
        }
        #expect(error?.status == 409)
        #expect(try await lab.functions.read("greet").memory == 128)
    }

    @Test("An update with an unknown id creates the entity if the resource has no create") func puts() async throws {
        let response = try await lab.settings.endpoints.update("theme", .init(value: "dark")).response()
        #expect(response.status == 201)
        #expect(response.value == Setting(key: "theme", value: "dark"))
        #expect(try await lab.settings.update("theme", .init(value: "light")).value == "light")
        #expect(try await lab.settings.list() == [Setting(key: "theme", value: "light")])
        let taken = await #expect(throws: APIError.self) {
            try await lab.settings.with { IfNoneMatch(.any) }.update("theme", .init(value: "blue"))
        }
        #expect(taken?.status == 412)
        let unknown = await #expect(throws: APIError.self) {
            try await lab.functions.update("nope", Function(functionName: "nope", memory: 1))
        }
        #expect(unknown?.status == 404)
    }

    @Test("An operation without the path values of its resource finds the entity by its id") func nested()
        async throws
    {
        let first = try await lab.notes(of: "a").create(.init(text: "one"))
        let second = try await lab.notes(of: "b").create(.init(id: 7, text: "two"))
        #expect(try await lab.notes(of: "b").read(second.id).text == "two")
        #expect(try await lab.notes(of: "a").list().map(\.id) == [first.id])
    }

    @Test("A patch of unknown members gets 422 with their names and changes nothing")
    func unknownPatches() async throws {
        let error = await #expect(throws: APIError.self) { try await lab.functions.patch("greet", .init(size: 3)) }
        #expect(error?.status == 422)
        #expect("\(error.map { "\($0)" } ?? "")".contains("does not know what a patch changes by size"))
        #expect(try await lab.functions.read("greet").memory == 128)
    }
}

private struct Chore: Entity, Equatable {
    let id: Int
    var title: String
    struct Draft: Codable, Sendable { var title: String }
    struct Patch: Codable, Sendable { var title: String? }
}

private struct Experiment: Entity {
    let experimentId: String
    var id: String { experimentId }
    var name: String
    struct Draft: RequestContent { var name: String }
    struct Patch: RequestContent { var name: String? }
}

private struct Function: Entity {
    enum CodingKeys: String, CodingKey { case functionName = "FunctionName", memory = "Memory" }
    var functionName: String
    var id: String { functionName }
    var memory: Int
    struct Patch: Codable, Sendable { var size: Int? }
}

private struct Object: Entity {
    struct Metadata: Codable, Sendable { var name: String }
    var metadata: Metadata
    var size: Int
    var id: String { metadata.name }
}

private struct Setting: Entity, Equatable {
    var key: String
    var value: String
    var id: String { key }
    struct Replacement: RequestContent { var value: String }
}

private struct Note: Entity {
    var id: Int
    var text: String

    struct Draft: Codable, Sendable {
        var id: Int?
        var text: String
    }
}

private struct Lab: DescribedAPI {
    let client: Client

    init(_ url: URL = URL(filePath: "/")) {
        client = Client(url.isFileURL ? URL(string: "https://lab.example") ?? url : url) {
            Decode(keys: .convertFromSnakeCase)
            Encode(keys: .convertToSnakeCase)
        }
    }

    enum Everything: Listable, Readable, Creatable, Updatable, Patchable, Deletable {}
    enum Putting: Listable, Readable, Updatable {}

    var tasks: Resource<Chore, Everything> { tasks(returning: .response) }

    var rereadTasks: Resource<Chore, Everything> { tasks(returning: .reread) }

    private func tasks(returning source: WriteResult.Source) -> Resource<Chore, Everything> {
        resource("tasks") {
            On(.list) { GET("tasks/active") }
            On(.create) {
                POST("new-task")
                WriteResult(source)
            }
            On(.read) { GET("\(.resource)/by-id/\(.id)") }
            On(.patch) { POST("tasks/\(.id)/changes") }
        }
    }

    var experiments: Resource<Experiment, Everything> {
        resource("experiments") {
            Envelope(item: "experiment", list: "experiments")
            Paginated(.cursor(at: "next_page_token", as: .body("page_token")))
            On(.list) {
                POST("\(.resource)/search")
                Body.Member("max_results", 2)
            }
            On(.read) {
                GET("\(.resource)/get")
                Query("experiment_id", .id)
            }
            On(.create) { POST("\(.resource)/create") }
            On(.patch) {
                POST("\(.resource)/update")
                Body.Member("experiment_id", .id)
                Header(.contentType, "application/json")
            }
            On(.delete) {
                POST("\(.resource)/delete")
                Body.Member("experiment_id", .id)
            }
        }
    }

    var functions: Resource<Function, Everything> { resource("functions/") }

    var objects: Resource<Object, Everything> { resource("objects") }

    var settings: Resource<Setting, Putting> { resource("settings") }

    func notes(of user: String) -> Resource<Note, Everything> {
        resource("users/\(user)/notes") { On(.read) { GET("notes/\(.id)") } }
    }

    var calls: APIDescription {
        tasks
        experiments
        functions
        objects
        settings
        notes(of: "x")
    }
}
