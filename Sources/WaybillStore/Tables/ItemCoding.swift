import Waybill
import WaybillSystem

/// The decoder and the encoder of items, as declared by the resource.
struct ItemCoding<Element: Codable & Sendable>: Sendable {
    let decoder: any ResponseDecoder
    let encode: @Sendable (Element) throws(APIError) -> JSONValue

    func item(_ document: JSONValue) throws -> Element { try item(Data(document.description.utf8)) }

    func item(_ row: StoredRow) throws -> Element { try item(Data(row.text(of: row.document).utf8)) }

    func item(_ bytes: Data) throws -> Element { try decoder.decode(Element.self, from: bytes) }

    /// Returns a document with the changed members of an item; members that the item type lacks are kept.
    func changed(_ document: JSONValue, to item: Element) throws -> JSONValue {
        let before = try encode(try self.item(document))
        return JSONValue.mergePatch(from: before, to: try encode(item)).map { document.applying(mergePatch: $0) }
            ?? document
    }
}
