import Foundation
import Waybill
import WaybillStore

/// A program in two versions, whose stored items differ in URL, members and names.
enum VersionedProgram {
    /// Writes, shows or sends items, as one version of the program.
    ///
    /// - Parameter arguments: the version, the folder of the store, the URL of the server, and `write`, `show` or
    ///   `send`. `write` prints nothing; the other two print the names of the items and the entries of the outbox.
    /// - Returns: the exit status.
    static func run(_ arguments: [String]) async -> Int32 {
        guard arguments.count == 4, let url = URL(string: arguments[2]) else {
            print("usage: storewriter version 1|2 <folder> <URL> write|show|send")
            return 2
        }
        do {
            let folder = URL(fileURLWithPath: arguments[1])
            let store = try await Store(at: folder, settings: StoreSettings(sendsAutomatically: false))
            let (isFirst, command) = (arguments[0] == "1", arguments[3])
            let names =
                isFirst ? try await runFirst(command, store, url) : try await runSecond(command, store, url)
            if command != "write" {
                for name in names { print("item", name) }
                for entry in try await store.outbox.entries() {
                    print(entry.operation, entry.template, entry.state.needsAttention, entry.content)
                }
            }
            await store.close()
            return 0
        } catch {
            try? FileHandle.standardError.write(contentsOf: Data("\(error)\n".utf8))
            return 1
        }
    }

    private static func runFirst(_ command: String, _ store: Store, _ url: URL) async throws -> [String] {
        let api = FirstVersion(url)
        let (items, notes) = (store.collection(api.items), store.collection(api.notes))
        switch command {
        case "write":
            try await items.create(.init(title: "made by 1"))
            try await notes.create(.init(title: "note of 1"))
        case "send": try await store.synchronize()
        default: break
        }
        return try await items.elements().map(\.title)
    }

    private static func runSecond(_ command: String, _ store: Store, _ url: URL) async throws -> [String] {
        let oldURL = url.absoluteString + "/v1/items"
        let items = store.collection(SecondVersion(url).items, named: "items", movedFrom: [oldURL]) {
            OutboxEntry.Conversion { (content, _) in
                guard let title = content["title"] else { return content }
                return content.applying(mergePatch: ["name": title, "title": .null, "count": 1])
            }
        }
        switch command {
        case "write": try await items.create(.init(name: "made by 2", count: 2))
        case "send": try await store.synchronize()
        default: break
        }
        return try await items.elements().map(\.name)
    }
}

/// The first version, with lists below `v1`.
private struct FirstVersion: API {
    struct Item: Entity {
        let id: Int
        var title: String

        struct Draft: RequestContent { var title: String }
    }

    let client: Client

    init(_ url: URL) { client = Client(url.appendingPathComponent("v1")) { Retry.none } }

    var items: Resource<Item, ReadWrite> { resource("items") }

    var notes: Resource<Item, ReadWrite> { resource("notes") }
}

/// The second version, with another path, another member, an additional required member, and no notes.
private struct SecondVersion: API {
    struct Item: Entity {
        let id: Int
        var name: String
        var count: Int

        struct Draft: RequestContent {
            var name: String
            var count: Int
        }
    }

    let client: Client

    init(_ url: URL) { client = Client(url.appendingPathComponent("v2")) { Retry.none } }

    var items: Resource<Item, ReadWrite> { resource("items") }
}
