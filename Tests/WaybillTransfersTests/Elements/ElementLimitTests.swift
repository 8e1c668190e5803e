import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillLimits
import WaybillTesting
import WaybillTransfers

@Suite("Limits of element streams", .inTurn, .safetyNet)
struct ElementLimitTests {
    struct Item: Decodable, Sendable { let id: Int }

    struct Summary: Decodable, Sendable { let total: Int }

    @Test("A concurrency limit counts a streamed list until its loop ends", arguments: Carrier.allCases)
    func calls(_ carrier: Carrier) async throws {
        let transport = try carrier.transport()
        let list: Responder = .json(#"[{"id":1},{"id":2}]"#).dripped(bytes: 12, every: .seconds(600))
        try await LoopbackServer.run(["GET items": list, "GET next": .text("next")]) { server async throws in
            let client = Client(server.url, transport: transport) { Limit(concurrent: 1) }
            let endpoint: Endpoint<[Item]> = client.endpoint { GET("items") }
            var items: ElementStream<Item>.Iterator? = try await endpoint.stream().makeAsyncIterator()
            let first = try await items?.next()
            #expect(first?.id == 1)
            async let next = client.get("next", as: String.self)
            #expect(server.requestCount == 1)
            items = nil
            let text = try await next
            #expect(text == "next")
        }
    }

    @Test("BodyLimits applies to metadata next to a list, but not to the list", arguments: Carrier.allCases)
    func body(_ carrier: Carrier) async throws {
        let transport = try carrier.transport()
        let items = (0..<50).map { #"{"id":\#($0)}"# }.joined(separator: ",")
        for (padding, isWithinLimit) in [(0, true), (100, false)] {
            let json = #"{"data":[\#(items)],"sum":{"total":\#(String(repeating: " ", count: padding))7}}"#
            try await LoopbackServer.run(["GET items": .json(json)]) { server async throws in
                let endpoint: Endpoint<[Item]> = Client(server.url, transport: transport).endpoint {
                    GET("items")
                    Envelope("data")
                    Metadata(Summary.self, at: "sum")
                    BodyLimits(successBytes: 100)
                }
                let stream = try await endpoint.stream()
                var count = 0
                do throws(APIError) {
                    var items = stream.makeAsyncIterator()
                    while try await items.next() != nil { count += 1 }
                    #expect(isWithinLimit)
                    #expect(stream.metadata(Summary.self)?.total == 7)
                } catch {
                    guard !isWithinLimit, case .transport(let failure) = error else { return unexpected(error) }
                    #expect(failure.error.kind == .bodyTooLarge)
                }
                #expect(count == 50)
            }
        }
    }
}
