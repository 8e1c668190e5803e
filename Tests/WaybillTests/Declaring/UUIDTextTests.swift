import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("Lowercase UUIDs")
struct UUIDTextTests {
    private static let upper = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
    private static let lower = upper.lowercased()
    private static let id = UUID(uuidString: upper) ?? UUID()

    struct Tag: RawRepresentable, Sendable { let rawValue: UUID }

    struct Node: Entity {
        let id: UUID
        var name = "n"
    }

    enum Kind: String, Codable, CodingKeyRepresentable { case firstKind }

    struct Tree: Encodable, Sendable {
        var nodeID = UUIDTextTests.id
        var asText = UUIDTextTests.upper
        var date = Date(timeIntervalSince1970: 0)
        var data = Data([1])
        var price = Decimal(1) / 8
        var absent: UUID?
        var list = [[UUIDTextTests.id]]
        var byText = ["aKey": UUIDTextTests.id]
        var byKind = [Kind.firstKind: UUIDTextTests.id]
        var byID = [UUIDTextTests.id: 1]
        var wrapped = Wrapper(value: Wrapper(value: UUIDTextTests.id))
    }

    struct Wrapper<Value: Encodable & Sendable>: Encodable, Sendable {
        var value: Value

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(value)
        }
    }

    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let request: String
        let endpoint: @Sendable () -> Endpoint<Void>

        init(_ name: String, _ request: String, @Scope.EndpointBuilder _ clauses: @escaping @Sendable () -> Scope) {
            testDescription = name
            self.request = request
            endpoint = { Shop().endpoint(clauses) }
        }
    }

    static let rows = [
        Row("a path", "GET https://shop.example/v1/nodes/\(lower)") { GET("nodes/\(id)") },
        Row("queries", "GET https://shop.example/v1/a?id=\(lower)&ids=\(lower)&tag=\(lower)&node=\(lower)") {
            GET("a")
            Query("id", id)
            Query("ids", [id])
            Query("tag", Tag(rawValue: id))
            Query(["node": id])
        },
        Row(
            "a form",
            "POST https://shop.example/v1/a\nContent-Type: application/x-www-form-urlencoded\nid=\(lower)&more=\(lower)"
        ) {
            POST("a")
            Body(formEncoding: ["id": id])
            Body.Member("more", id)
        },
        Row(
            "a JSON body with a member",
            "POST https://shop.example/v1/a\nContent-Type: application/json\n{\"id\":\"\(lower)\",\"more\":\"\(lower)\"}"
        ) {
            POST("a")
            Body(["id": id])
            Body.Member("more", id)
        },
        Row(
            "a JSON body of a UUID alone",
            "POST https://shop.example/v1/a\nContent-Type: application/json\n\"\(lower)\""
        ) {
            POST("a")
            Body(id)
        },
        Row(
            "JSON under a key, with a declared null",
            "POST https://shop.example/v1/a\nContent-Type: application/json\n{\"node\":{\"id\":\"\(lower)\",\"name\":\"n\"}}"
        ) {
            POST("a")
            Body(Node(id: id), under: "node")
            Body.Format(nils: .null)
        },
        Row(
            "strategies over Waybill's encoder",
            "POST https://shop.example/v1/a\nContent-Type: application/json\n{\"node_id\":\"\(lower)\"}"
        ) {
            POST("a")
            Body(NodeID(nodeID: id))
            Encode(keys: .convertToSnakeCase)
        },
        Row(
            "an app's own encoder, which writes them as it does",
            "POST https://shop.example/v1/a\nContent-Type: application/json\n[\"\(upper)\"]"
        ) {
            POST("a")
            Body([id])
            Encode(with: JSONEncoder())
        },
    ]

    struct NodeID: Encodable, Sendable { let nodeID: UUID }

    @Test("A UUID is sent in lowercase unless the app declares a custom encoder", arguments: rows)
    func request(_ row: Row) throws {
        #expect(try text(of: row.endpoint().plan()) == row.request)
    }

    @Test("An identifier is lowercase in an operation's path and body and in multipart forms")
    func operations() throws {
        let nodes: Resource<Node, ReadWrite> = Shop().resource("nodes") {
            On(.delete) {
                POST("nodes/delete")
                Body.Member("node_id", .id)
            }
        }
        #expect(try nodes.endpoints.read(Self.id).url.absoluteString.hasSuffix("/nodes/\(Self.lower)"))
        #expect(try nodes.endpoints.delete(Self.id).body == Data(#"{"node_id":"\#(Self.lower)"}"#.utf8))
        let form: Endpoint<Void> = Shop().endpoint {
            POST("a")
            Multipart {
                Multipart.Part("id", Self.id)
                Multipart.Part("node", json: Node(id: Self.id))
            }
        }
        let sent = String(decoding: try #require(try form.body), as: UTF8.self)
        #expect(!sent.contains(Self.upper))
        #expect(sent.components(separatedBy: Self.lower).count == 3)
    }

    @Test("A body with UUIDs differs from Foundation's output only in the case of the UUIDs", arguments: [false, true])
    func otherBytes(snakeCase: Bool) throws {
        let keys: WaybillJSONEncoder.KeyEncodingStrategy = snakeCase ? .convertToSnakeCase : .useDefaultKeys
        let foundation = JSONEncoder()
        foundation.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        foundation.dateEncodingStrategy = .iso8601
        foundation.keyEncodingStrategy = snakeCase ? .convertToSnakeCase : .useDefaultKeys
        // A string property remains unchanged.
        let member = #""\#(snakeCase ? "as_text" : "asText")":"#
        let expected = String(decoding: try foundation.encode(Tree()), as: UTF8.self)
            .replacingOccurrences(of: Self.upper, with: Self.lower)
            .replacingOccurrences(of: #"\#(member)"\#(Self.lower)""#, with: #"\#(member)"\#(Self.upper)""#)
        let endpoint: Endpoint<Void> = Shop().endpoint {
            POST("a")
            Body(Tree())
            Encode(keys: keys)
        }
        #expect(String(decoding: try #require(try endpoint.body), as: UTF8.self) == expected)
    }
}
