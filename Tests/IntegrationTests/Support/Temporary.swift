import Foundation
import Waybill

/// Returns a unique name such as `waybill-3f2a9c41d07b`, so that tests on the same server do not interfere.
func uniqueName() -> String { "waybill-" + UUID().uuidString.lowercased().suffix(12) }

/// Creates an item, works with it, and deletes it even if the work throws.
///
/// The work may delete the item itself if the server never reuses an id.
func withTemporary<Element: Entity, Access: Creatable & Deletable>(
    _ draft: Element.Draft,
    in resource: Resource<Element, Access>,
    _ work: (Element) async throws -> Void
) async throws {
    let item = try await resource.create(draft)
    do {
        try await work(item)
    } catch {
        try? await resource.delete(item.id)
        throw error
    }
    do {
        try await resource.delete(item.id)
    } catch let error where error.isNotFound {
        // The work has already deleted the item.
    }
}
