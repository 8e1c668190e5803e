// The forced literals of the page are constants.
// swift-format-ignore-file: NeverForceUnwrap

import Foundation
import Testing
import Waybill
import WaybillTesting

/// The files of GettingStarted.md.
private enum Page {
    struct User: Entity {
        let id: Int
        var name: String
    }

    struct Directory: API {
        let client = Client(URL(string: "https://jsonplaceholder.typicode.com")!)
        var users: Resource<User, ReadOnly> { resource("users") }
    }

    enum Program {
        static func main() async {
            do throws(APIError) {
                for user in try await Directory().users.list() { print(user.name) }
            } catch {
                print(error)
            }
        }
    }
}

#if canImport(SwiftUI)
    import SwiftUI

    extension Page {
        struct ContentView: View {
            @State private var users: [User] = []
            @State private var message = ""

            var body: some View {
                List(users) { user in
                    Text(user.name)
                }
                .overlay { Text(message) }
                .task {
                    do throws(APIError) {
                        users = try await Directory().users.list()
                        message = ""
                    } catch .cancelled {
                        // the view has disappeared
                    } catch {
                        message = error.localizedDescription
                    }
                }
            }
        }
    }
#endif

@Suite("GettingStarted.md")
struct GettingStartedSamples {
    @Test("The first list is a GET of one URL, whose response decodes as users")
    func list() async throws {
        let stub = StubTransport([
            "GET users": .json(#"[{"id":1,"name":"Leanne Graham","email":"leanne@example.com"}]"#)
        ])
        let directory = Page.Directory()
        let list = directory.users.endpoints.list()
        #expect(list.method == .get)
        #expect(try list.url.absoluteString == "https://jsonplaceholder.typicode.com/users")
        let client = Client(directory.client.url, transport: stub)
        #expect(try await client.get("users", as: [Page.User].self).map(\.name) == ["Leanne Graham"])
    }
}
