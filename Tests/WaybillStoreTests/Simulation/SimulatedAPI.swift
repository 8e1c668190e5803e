import Foundation
import Waybill
import WaybillTesting

@testable import WaybillStore

/// A simulated team, project, or task.
struct SimulatedItem: Entity, Equatable {
    let id: Int
    /// The mark of the item's creation, which never changes.
    var origin: String
    /// The item's name in version 1 of the API.
    var name: String?
    /// The item's name in version 2 of the API.
    var title: String?
    /// The server's name for the item when this name was assigned.
    var basis: String?
    /// The parent item.
    var parent: Int?
    /// One member for each change to the item.
    var marks: [String: Bool]?

    struct Draft: RequestContent {
        var origin: String
        var name: String?
        var title: String?
        var parent: Int?
    }
}

/// A version of the program, with its server, its way to find an earlier version's rows, and its user.
struct SimulatedAPI: API {
    let client: Client
    let rules: SimulationRules
    let version: Int

    init(_ server: SimulatedServer, version: Int, token: @escaping @Sendable () -> String) {
        rules = server.rules
        self.version = version
        let hasKeys = rules.hasKeys
        let pageSize = rules.pageSize
        client = Client(
            URL(string: "https://plan.example/v\(version)") ?? URL(fileURLWithPath: "/"),
            transport: server.transport
        ) {
            Authorization(.bearer { token() })
            if hasKeys { IdempotencyKey() }
            Paginated(.pageNumber("page", size: .query("size", pageSize)))
        }
    }

    private var teams: Resource<SimulatedItem, ReadWrite> { resource("teams") }

    private func projects(of team: Int) -> Resource<SimulatedItem, ReadWrite> { resource("teams/\(team)/projects") }

    private func tasks(of project: Int, _ team: Int) -> Resource<SimulatedItem, ReadWrite> {
        resource("teams/\(team)/projects/\(project)/tasks")
    }

    /// Returns the teams for no IDs, the projects of a team for one ID, and the tasks of a project for two.
    func collection(below ids: [Int], in store: Store) -> StoredCollection<SimulatedItem, ReadWrite> {
        let (resource, name): (Resource<SimulatedItem, ReadWrite>, String) =
            switch ids.count {
            case 0: (teams, "teams")
            case 1: (projects(of: ids[0]), "projects")
            default: (tasks(of: ids[1], ids[0]), "tasks")
            }
        return store.collection(resource, named: rules.hasUpdate ? name : nil) {
            if rules.asks {
                Store.Conflicts(.ask)
            } else {
                Store.Conflicts(.merge(clash: .mine), readsBeforeWriting: rules.hasTags)
            }
            if rules.hasDelta, ids.isEmpty { Store.Delta(.updatedSince("updated_at", as: "since"), deleted: "deleted") }
            if ids.isEmpty { Store.Index(\.origin) }
            if version > 1 {
                OutboxEntry.Conversion { (content, _) in
                    guard let name = content["name"] else { return content }
                    return content.applying(mergePatch: ["name": .null, "title": name])
                }
            }
        }
    }
}

extension StoredCollection {
    /// The IDs in the path of a simulated collection.
    var ids: [Int] { context.address.split(separator: "/").compactMap { Int($0) } }
}
