import Foundation
import Waybill

/// Returns a name that no other test uses, so that tests on the same server do not meet: `waybill-3f2a9c41d07b`.
func uniqueName() -> String { "waybill-" + UUID().uuidString.lowercased().suffix(12) }

/// Creates an item, works with it, and deletes it, also if the work throws.
///
/// The work may delete it itself if the server never reuses an id.
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
        // The work has deleted it already.
    }
}
