import Foundation
import Testing
import Waybill
import WaybillTesting

/// The code of the first block of ForAgents.md.
private nonisolated enum AgentsPage {
    struct Ticket: Entity {  // Codable, Identifiable, Sendable
        let id: Int
        var title: String

        struct Draft: RequestContent {  // the body of a POST
            var title: String
        }
    }

    struct Reply: ResponseContent {  // only decoded
        let text: String
    }

    struct Tracker: API {
        let client: Client

        init(_ url: URL, token: String, transport: some Transport = .default) {
            client = Client(url, transport: transport) {  // clauses for every call
                Authorization(.bearer(token))
                Envelope("data")
                Problem(Problem.Details.self)
                Retry()
            }
        }

        var tickets: Resource<Ticket, ReadWrite> {
            resource("tickets") {
                Paginated(.pageNumber("page", size: .query("per_page", 50)))
            }
        }

        func replies(to ticket: Ticket.ID, by author: String? = nil) -> Endpoint<[Reply]> {
            endpoint {
                GET("tickets/\(ticket)/replies")
                Query("author", author)  // left out if it is nil
            }
        }
    }
}

@Suite("ForAgents.md")
struct ForAgentsSamples {
    private typealias Tracker = AgentsPage.Tracker
    private let url = Sample.url

    @Test("A created ticket and its replies are sent and decoded as declared")
    func calls() async throws {
        let stub = StubTransport([
            "POST tickets": .json(#"{"data": {"id": 7, "title": "Crash"}}"#, status: 201),
            "GET tickets/7/replies": .json(#"{"data": [{"text": "Me too"}]}"#),
        ])
        let tracker = Tracker(url, token: "secret", transport: stub)
        var failed: APIError?
        func call() async {
            do throws(APIError) {
                let ticket = try await tracker.tickets.create(.init(title: "Crash"))
                let replies = try await tracker.replies(to: ticket.id).send()
                print(replies.count)
            } catch {
                switch error {
                case .status(let failure):
                    let problem = failure.problem(as: Problem.Details.self)
                    print(problem?.title ?? "\(failure.status)")
                case .transport, .timeout: print("offline?")
                default: print(error)
                }
            }
        }
        do throws(APIError) {
            #expect(try await tracker.tickets.create(.init(title: "Crash")).id == 7)
            #expect(try await tracker.replies(to: 7).send().map(\.text) == ["Me too"])
        } catch { failed = error }
        #expect(failed == nil)
        await call()
        #expect(stub.requests.count == 4)
    }

    @Test("A list is read to its end, page by page")
    func list() async throws {
        let stub = StubTransport { request in
            request.query("page") == "1" || request.query("page") == nil
                ? .json(#"{"data": [{"id": 7, "title": "Crash"}]}"#) : .json(#"{"data": []}"#)
        }
        let tracker = Tracker(url, token: "secret", transport: stub)
        for try await ticket in tracker.tickets.all {
            print(ticket.title)
        }
        #expect(try await tracker.tickets.all.collect().map(\.title) == ["Crash"])
    }

    @Test("A stub responds, and a request is shown without being sent")
    func stub() async throws {
        let stub = StubTransport(["GET tickets/7": .json(#"{"data": {"id": 7, "title": "Crash"}}"#)])
        let tracker = Tracker(url, token: "secret", transport: stub)
        let ticket = try await tracker.tickets.read(7)
        #expect(ticket.title == "Crash")
        print(try tracker.replies(to: 7, by: "ada").curl())
        #expect(try tracker.replies(to: 7, by: "ada").curl().contains("/tickets/7/replies?author=ada"))
        #expect(stub.requests.count == 1)
    }
}
