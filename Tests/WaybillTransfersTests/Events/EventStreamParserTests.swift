import Foundation
import Testing
import Waybill
import WaybillTransfers

/// The Web Platform Tests' `eventsource/format-*` groups, rebuilt.
@Suite("Event stream parser")
struct EventStreamParserTests {
    struct Group: Sendable, CustomTestStringConvertible {
        let name: String
        let stream: String
        let events: [String]
        var retry: Int?

        var testDescription: String { name }
    }

    static let groups = [
        Group(
            name: "format-bom",
            stream: "\u{FEFF}data:1\n\n\u{FEFF}data:2\n\ndata:3\n\n",
            events: ["message|1|", "message|3|"]
        ),
        Group(
            name: "format-bom-2",
            stream: "\u{FEFF}\u{FEFF}data:1\n\ndata:2\n\ndata:3\n\n",
            events: ["message|2|", "message|3|"]
        ),
        Group(
            name: "format-comments",
            stream: "data:1\r:\0\n:\r\ndata:2\n:long\rdata:3\n:data:fail\r:long\ndata:4\n\n",
            events: ["message|1\n2\n3\n4|"]
        ),
        Group(
            name: "format-data-before-final-empty-line",
            stream: "retry:1000\ndata:test1\n\nid:test\ndata:test2",
            events: ["message|test1|"],
            retry: 1000
        ),
        Group(
            name: "format-field-data",
            stream: "data:\n\ndata\ndata\n\ndata:test\n\n",
            events: ["message||", "message|\n|", "message|test|"]
        ),
        Group(
            name: "format-field-event",
            stream: "event:test\ndata:x\n\ndata:x\n\n",
            events: ["test|x|", "message|x|"]
        ),
        Group(name: "format-field-event-empty", stream: "event: \ndata:data\n\n", events: ["message|data|"]),
        Group(
            name: "format-field-id",
            stream: "id: 1\ndata:a\n\ndata:b\n\nid\ndata:c\n\nid:…\ndata:d\n\n",
            events: ["message|a|1", "message|b|1", "message|c|", "message|d|…"]
        ),
        Group(
            name: "format-field-id-2, an id without data holds for later events",
            stream: "id:1\n\ndata:a\n\nid:2\nid:3\ndata:b\n\n",
            events: ["message|a|1", "message|b|3"]
        ),
        Group(
            name: "format-field-id-3, an id persists",
            stream: "id: 1\ndata: 1\n\ndata: 2\n\nid: 2\ndata:3\n\ndata:4\n\n",
            events: ["message|1|1", "message|2|1", "message|3|2", "message|4|2"]
        ),
        Group(
            name: "format-field-id-3, an empty id resets",
            stream: "id: 1\ndata: 1\n\ndata: 2\n\nid:\ndata:3\n\ndata:4\n\n",
            events: ["message|1|1", "message|2|1", "message|3|", "message|4|"]
        ),
        Group(
            name: "format-field-id-3, an id without a colon resets",
            stream: "id: 1\ndata: 1\n\ndata: 2\n\nid\ndata:3\n\ndata:4\n\n",
            events: ["message|1|1", "message|2|1", "message|3|", "message|4|"]
        ),
        Group(
            name: "format-field-id-null",
            stream: "id:1\nid:2\0\nid:\0\ndata:a\n\n",
            events: ["message|a|1"]
        ),
        Group(
            name: "an id with a control character is ignored",
            stream: "id:1\nid:2\u{1}\nid:\u{7F}3\nid: \u{1B}[\ndata:a\n\nid:\t4\ndata:b\n\n",
            events: ["message|a|1", "message|b|\t4"]
        ),
        Group(
            name: "format-field-parsing",
            stream:
                "data:\0\ndata:  2\rData:1\ndata\0:2\ndata:1\r\0data:4\nda-ta:3\rdata_5\ndata:3\rdata:\r\n data:32\n"
                + "data:4\n\n",
            events: ["message|\0\n 2\n1\n3\n\n4|"]
        ),
        Group(name: "format-field-retry", stream: "retry:3000\ndata:x\n\n", events: ["message|x|"], retry: 3000),
        Group(name: "format-field-retry, zero", stream: "retry:0\ndata:x\n\n", events: ["message|x|"], retry: 0),
        Group(
            name: "format-field-retry-bogus",
            stream: "retry:3000\nretry:1000x\nretry:-1\nretry:+5\nretry:1.5\ndata:x\n\n",
            events: ["message|x|"],
            retry: 3000
        ),
        Group(name: "format-field-retry-empty", stream: "retry\ndata:test\n\n", events: ["message|test|"]),
        Group(
            name: "format-field-unknown",
            stream: "data:test\n data\ndata\nfoobar:xxx\njustsometext\n:thisisacommentyay\ndata:test\n\n",
            events: ["message|test\n\ntest|"]
        ),
        Group(
            name: "format-leading-space",
            stream: "data:\ttest\rdata: \ndata:test\n\n",
            events: ["message|\ttest\n\ntest|"]
        ),
        Group(
            name: "format-newlines",
            stream: "data:test\r\ndata\ndata:test\r\n\r",
            events: ["message|test\n\ntest|"]
        ),
        Group(name: "format-null-character", stream: "data:\0\n\n\n\n", events: ["message|\0|"]),
        Group(name: "format-utf-8", stream: "data:ok…👍\n\n", events: ["message|ok…👍|"]),
        Group(name: "events without data", stream: "event:a\nid:7\n\n\n:\n\ndata:b\n\n", events: ["message|b|7"]),
        Group(name: "carriage returns alone", stream: "data:a\r\rdata:b\r\r", events: ["message|a|", "message|b|"]),
    ]

    private static func read(_ chunks: [Data]) -> (events: [String], parser: EventStreamParser) {
        var parser = EventStreamParser()
        var events: [String] = []
        for chunk in chunks {
            parser.append(chunk)
            while let message = parser.next() {
                events.append("\(message.name)|\(String(decoding: message.data, as: UTF8.self))|\(message.id)")
            }
        }
        return (events, parser)
    }

    @Test("Each stream yields the same events when split in two at any byte", arguments: groups)
    func halves(_ group: Group) {
        let bytes = Data(group.stream.utf8)
        for cut in 0...bytes.count {
            let (events, parser) = Self.read([bytes.prefix(cut), bytes.dropFirst(cut)])
            #expect(events == group.events, "cut at \(cut)")
            #expect(parser.retry == group.retry)
        }
    }

    @Test("Each stream yields the same events in chunks of one byte", arguments: groups)
    func pieces(_ group: Group) {
        let (events, parser) = Self.read(group.stream.utf8.map { Data([$0]) })
        #expect(events == group.events)
        #expect(parser.retry == group.retry)
    }

    @Test("A carriage return completes an event before the next byte arrives")
    func carriageReturn() {
        #expect(Self.read([Data("data:1\r\r".utf8)]).events == ["message|1|"])
        #expect(
            Self.read([Data("data:1\r\n\r".utf8), Data("\ndata:2\n\n".utf8)]).events == ["message|1|", "message|2|"]
        )
    }

    @Test("An ID persists across connections until the server resets it")
    func resumed() {
        var parser = EventStreamParser(lastID: "5")
        parser.append(Data("data:a\n\nid:\ndata:b\n\n".utf8))
        #expect(parser.next()?.id == "5")
        #expect(parser.next()?.id == "")
        #expect(parser.lastID == "")
    }
}
