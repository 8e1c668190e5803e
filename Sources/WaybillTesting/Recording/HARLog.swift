import Foundation
import Waybill

/// The content of a file of recordings: its exchanges, and the names under which they are kept (HAR 1.2, `log`).
struct HARLog: Sendable, Hashable {
    private(set) var names: [String] = []
    private(set) var entries: [RecordedExchange] = []

    /// The order of members in the file, in which HAR describes them.
    static let keyOrder = [
        "version", "creator", "id", "title", "name", "pageref", "startedDateTime", "time", "_template", "method", "url",
        "status", "statusText", "request", "response", "_fault",
    ]

    private static let creator = "Waybill"

    /// Replaces the exchanges of a name; the names are in their order, so that it does not depend on the tests' order.
    mutating func replace(_ name: String?, with exchanges: [RecordedExchange]) {
        entries.removeAll { $0.name == name }
        // Those without a name come first.
        let place = entries.firstIndex { ($0.name ?? "") > (name ?? "") } ?? entries.endIndex
        entries.insert(contentsOf: exchanges, at: place)
        if let name, !names.contains(name) { names = (names + [name]).sorted() }
    }

    /// Removes secret values from all exchanges.
    mutating func remove(_ names: SecretNameSet) {
        guard !names.values.isEmpty else { return }
        for index in entries.indices { entries[index].remove(names) }
    }

    /// The text of the file.
    var text: String { json.indented(first: Self.keyOrder) }

    var json: JSONValue {
        let pages = names.map { name -> JSONValue in
            [
                "id": .string(name), "title": .string(name), "pageTimings": [:],
                "startedDateTime": .string(RecordedExchange.startTime),
            ]
        }
        return [
            "log": [
                "version": "1.2", "creator": ["name": .string(Self.creator), "version": ""],
                "pages": .array(pages), "entries": .array(entries.map(\.json)),
            ]
        ]
    }
}

extension HARLog: Decodable {
    private struct Creator: Decodable {
        init(from decoder: any Decoder) throws {
            let members = try HARMembers(decoder, ["name", "version"])
            // A HAR of a browser lacks the template, and what it has beside that would be ignored.
            try members.check("name", is: HARLog.creator)
            _ = try members.value("version", String.self)
        }
    }

    private struct Page: Decodable {
        let name: String

        init(from decoder: any Decoder) throws {
            let members = try HARMembers(decoder, ["id", "title", "pageTimings", "startedDateTime"])
            name = try members.value("id", String.self)
            try members.check("title", is: name)
        }
    }

    private struct Content: Decodable {
        let log: HARLog

        init(from decoder: any Decoder) throws {
            let members = try HARMembers(decoder, ["version", "creator", "pages", "entries"])
            try members.check("version", is: "1.2")
            _ = try members.value("creator", Creator.self)
            let names = try members.value("pages", [Page].self).map(\.name)
            if let name = names.first(where: { name in names.count { $0 == name } > 1 }) {
                throw members.error("pages", "two have the id \(name.debugDescription)")
            }
            let entries = try members.value("entries", [RecordedExchange].self)
            if let stray = entries.lazy.compactMap(\.name).first(where: { !names.contains($0) }) {
                throw members.error("pages", "none has the id \(stray.debugDescription), which an entry refers to")
            }
            log = HARLog(names: names, entries: entries)
        }
    }

    init(from decoder: any Decoder) throws {
        self = try HARMembers(decoder, ["log"]).value("log", Content.self).log
    }
}
