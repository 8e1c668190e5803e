import Foundation
import Testing
import Waybill
import WaybillDescription

@Suite("Schema files for external validators")
struct SchemaFileTests {
    private static let folder = ProcessInfo.processInfo.environment["WAYBILL_SCHEMAS"]

    @Test(
        "Each type's schema is written with documents that the type decodes and documents that it rejects",
        .enabled(if: folder != nil, "WAYBILL_SCHEMAS names no folder")
    )
    func files() throws {
        let folder = URL(filePath: try #require(Self.folder), directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let names = SchemaTable.all.map(\.fileName)
        try #require(Set(names).count == names.count, "two types have one name")
        for row in SchemaTable.all { try write(row, to: folder) }
    }

    @Test("Each type of the table decodes a document generated from its schema")
    func documents() throws {
        // The initializers of these types reject every generated value.
        let undecodable: Set = ["Impossible", "Endless"]
        for row in SchemaTable.all where !undecodable.contains(row.fileName) {
            #expect(SchemaSamples(of: row.type).decoded.first != nil, "\(row.type)")
        }
    }

    private func write(_ row: SchemaTable, to folder: URL) throws {
        let samples = SchemaSamples(of: row.type)
        func write(_ json: JSONValue, _ suffix: String) throws {
            try Data(json.indented().utf8).write(to: folder.appending(path: "\(row.fileName).\(suffix).json"))
        }
        try write(samples.schema.json, "schema")
        for (number, document) in samples.decoded.enumerated() { try write(document, "valid.\(number)") }
        for (number, document) in samples.rejected.enumerated() { try write(document, "invalid.\(number)") }
    }
}

extension SchemaTable {
    /// The type's name in letters, digits and underscores.
    fileprivate var fileName: String {
        "\(type)".split { !$0.isLetter && !$0.isNumber }.joined(separator: "_")
    }
}
