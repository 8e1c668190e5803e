// The forced literals of the page are constants.
// swift-format-ignore-file: NeverForceUnwrap

import Foundation
import Observation
import Testing
import Waybill
import WaybillStore
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

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension Page {
    @MainActor @Observable
    final class StoredUsers {
        let list: ObservedRows<User>
        private(set) var message = ""
        private let store: Store

        init(_ directory: Directory, in store: Store) {
            self.store = store
            list = store.collection(directory.users).sorted(by: \.name).observed()
        }

        func refresh() async {
            do throws(StoreError) {
                let report = try await store.synchronize()
                message = report.isComplete ? "" : "The list may be out of date."
            } catch .cancelled {
                // the view has disappeared
            } catch {
                message = error.description
            }
        }
    }
}

#if canImport(SwiftUI)
    import SwiftUI

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    extension Page {
        struct StoredUsersView: View {
            @State var users: StoredUsers

            var body: some View {
                List(users.list.rows) { row in
                    Text(row.element.name)
                }
                .overlay { Text(users.message) }
                .task { await users.refresh() }
            }
        }
    }

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
    @Test("The first list is a GET whose response decodes as users")
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

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    @Test("The stored list shows the rows of the store and the error of a refresh")
    @MainActor
    func stored() async throws {
        let store = try await Store.inMemory(user: nil, settings: StoreSettings(sendsAutomatically: false))
        let users = Page.StoredUsers(Page.Directory(), in: store)
        while !users.list.isLoaded { await Task.yield() }
        #expect(users.list.rows.isEmpty)
        await store.close()
        await users.refresh()
        #expect(!users.message.isEmpty)
    }
}
