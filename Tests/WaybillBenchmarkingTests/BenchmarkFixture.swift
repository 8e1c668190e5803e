import Foundation
import Waybill
import WaybillBenchmarking

/// A clock that decoders advance, with a log of their decodings.
final class VirtualTime: Sendable {
    private struct State: Sendable {
        var seconds = 0.0
        var log: [String] = []
    }

    private let state = Locked(State())

    /// The name of the decoder of each decoding, in order.
    var log: [String] { state.withLock { $0.log } }

    /// Benchmark instruments whose processor time is half the wall time.
    var instruments: Instruments {
        Instruments(now: {
            self.state.withLock { TimeSpent(wall: $0.seconds, processor: $0.seconds / 2) }
        })
    }

    /// Logs a decoding and advances the clock.
    func note(_ name: String, seconds: @Sendable (_ earlier: Int) -> Double) {
        state.withLock { state in
            state.seconds += seconds(state.log.count { $0 == name })
            state.log.append(name)
        }
    }
}

/// A decoder that decodes a fixed text instead of the document and advances the virtual clock.
struct StubDecoder: ResponseDecoder {
    let name: String
    let time: VirtualTime
    var text = "7"
    /// The duration of a decoding in milliseconds, by the number of earlier decodings.
    var milliseconds: @Sendable (_ earlier: Int) -> Double = { _ in 20 }

    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        time.note(name) { milliseconds($0) / 1000 }
        return try JSONDecoder().decode(type, from: Data(text.utf8))
    }
}

/// A product that is `Equatable`.
struct BenchmarkedProduct: ResponseContent, Equatable {
    let id: Int
    let name: String
    let price: Double?
}

/// A product that is `Encodable` but not `Equatable`.
struct EncodableProduct: Codable, Sendable {
    let id: Int
    let name: String
}

/// A product that is neither `Equatable` nor `Encodable`.
struct PlainProduct: ResponseContent {
    enum Kind: String, Decodable, Sendable { case lamp, rug }

    final class Maker: Decodable, Sendable { let name: String }

    let id: Int
    let kind: Kind?
    let maker: Maker?
    let sizes: [String: [Int]]?
}

enum BenchmarkFixture {
    static let products = Data(
        """
        {"meta":{"total":3},"data":{"items":[{"id":1,"name":"Lamp","price":30.5},{"id":2,"name":"Rug"},\
        {"id":3,"name":"Vase","price":null}]}}
        """.utf8
    )

    /// A 300,000-byte document, which is decoded once per round.
    static let large = Data("7".utf8) + Data(repeating: 32, count: 299_999)

    /// A header that does not depend on the machine.
    static let header = ReportHeader(system: "Linux", processors: 2, isOptimized: true)
}
