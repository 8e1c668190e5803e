import Foundation
import Waybill
import WaybillStore

/// The API that receives the scripted writes.
package struct SendingShop: API {
    package struct Item: Entity, Equatable {
        package let id: Int
        package var name: String

        package init(id: Int, name: String) {
            self.id = id
            self.name = name
        }

        package struct Draft: RequestContent {
            package var name: String
        }
    }

    package let client: Client

    package init(_ url: URL) {
        // The store is responsible for retries.
        client = Client(url) { Retry.none }
    }

    package var plain: Resource<Item, ReadWrite> { resource("plain") }

    package var keyed: Resource<Item, ReadWrite> { resource("keyed") { IdempotencyKey() } }
}

/// Writes of each kind, and the effect of repeating them.
package enum SendingScript {
    /// A write.
    package enum Write: String, CaseIterable, Sendable {
        case create, createWithKey, patch, patchWithTag, update, updateWithTag, delete, deleteWithTag

        /// Whether a repeated request takes effect only once, because of its key, its condition or its method.
        package var isRepeatable: Bool { self != .create && self != .patch }

        /// Whether the server compares the version.
        package var hasTag: Bool { self == .patchWithTag || self == .updateWithTag || self == .deleteWithTag }

        /// The ID of the item that the write changes; nil for a new item.
        package var id: Int? {
            switch self {
            case .create, .createWithKey: nil
            case .patch: 1
            case .patchWithTag: 2
            case .update: 3
            case .updateWithTag: 4
            case .delete: 5
            case .deleteWithTag: 6
            }
        }

        /// The effect on the server.
        package var effect: String {
            switch self {
            case .create: "POST /plain"
            case .createWithKey: "POST /keyed"
            case .patch, .patchWithTag: "PATCH /plain/\(id ?? 0)"
            case .update, .updateWithTag: "PUT /plain/\(id ?? 0)"
            case .delete, .deleteWithTag: "DELETE /plain/\(id ?? 0)"
            }
        }
    }

    /// The initial items on the server.
    package static let items = (1...6).map { SendingShop.Item(id: $0, name: "Item \($0)") }

    /// Performs a write, to be sent later.
    package static func perform(_ write: Write, in store: Store, _ shop: SendingShop) async throws {
        let (plain, keyed) = collections(store, shop)
        switch write {
        case .create: try await plain.create(.init(name: "New"))
        case .createWithKey: try await keyed.create(.init(name: "New"))
        case .patch, .patchWithTag: try await plain.patch(write.id ?? 0) { $0.name = "Changed" }
        case .update, .updateWithTag: try await plain.update(.init(id: write.id ?? 0, name: "Changed"))
        case .delete, .deleteWithTag: try await plain.delete(write.id ?? 0)
        }
    }

    /// Fetches the items, and the versions of those with conditional writes.
    package static func fetch(into store: Store, _ shop: SendingShop) async throws {
        let (plain, _) = collections(store, shop)
        try await store.synchronize()
        for write in Write.allCases where write.hasTag { _ = try await plain.inStep.read(write.id ?? 0) }
    }

    /// Returns the two collections.
    package static func collections(
        _ store: Store,
        _ shop: SendingShop
    ) -> (plain: StoredCollection<SendingShop.Item, ReadWrite>, keyed: StoredCollection<SendingShop.Item, ReadWrite>) {
        (store.collection(shop.plain), store.collection(shop.keyed))
    }
}
