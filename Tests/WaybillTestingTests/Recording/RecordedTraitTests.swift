import Foundation
import Testing
import Waybill
import WaybillTesting
import WaybillTestingTraits

@Suite("Recording trait")
struct RecordedTraitTests {
    private let url = URL(string: "https://shop.example") ?? URL(fileURLWithPath: "/")

    @Test(
        "A test with the trait replays the file named after it",
        .recorded(over: StubTransport(RecordingShop.responses))
    )
    func replaying() async throws {
        let shop = RecordingShop(url, transport: .recorded)
        #expect(try await shop.products.read(7) == RecordingShop.Product(id: 7, name: "Lamp"))
    }

    @Test(
        "Tests with the trait can share a file, with a recording named after each test",
        .recorded(in: "Shared", over: StubTransport(RecordingShop.responses))
    )
    func sharing() async throws {
        let shop = RecordingShop(url, transport: .recorded)
        #expect(try await shop.products.read(8).id == 8)
    }

    @Test("The recorded transport of a test without the trait fails")
    func without() async throws {
        let transport = RecordedTransport.OfTest.recorded
        let error = await #expect(throws: TransportError.self) {
            try await transport.send(HTTPRequest(method: .get, url: url))
        }
        #expect(error?.kind == .unavailable)
    }

    @Test("A parameterized test cannot have the trait, because its cases would share a recording", arguments: [1])
    func parameterized(_: Int) async throws {
        let test = try #require(Test.current)
        let error = await #expect(throws: RecordedTransport.Failure.self) {
            try await RecordedTrait.recorded.provideScope(for: test, testCase: Test.Case.current) {
                Issue.record("the test was run")
            }
        }
        guard case .parameterizedTest(let name)? = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(name.contains("parameterized"))
    }
}
