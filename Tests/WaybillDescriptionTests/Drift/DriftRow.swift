import Foundation
import Testing
import Waybill
import WaybillDescription
import WaybillTesting

/// A body, the type that decodes it, and the drift between the two.
struct DriftRow: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let body: String
    let findings: [String]
    let call: @Sendable (Client) async throws -> Void

    init<Value: Decodable & Sendable>(
        _ testDescription: String,
        _ body: String,
        as type: Value.Type,
        _ findings: String...,
        @Scope.Builder by clauses: @escaping @Sendable () -> Scope = { Scope() }
    ) {
        self.testDescription = testDescription
        self.body = body
        self.findings = findings
        call = { client in
            let endpoint: Endpoint<Value> = client.endpoint {
                GET("things/\(7)")
                clauses()
            }
            _ = try await endpoint.send()
        }
    }
}

/// The types of the rows.
enum Drifting {
    struct Thing: Codable, Sendable, Equatable {
        var id: Int
        var name: String
        var note: String?
    }

    struct Lamp: Decodable, Sendable {
        var id: Int
        var unitPrice: Double
        var kind: Kind?
        var sizes: [String: Size]?
        var made: Date?

        enum Kind: String, Decodable, Sendable { case floor, desk }

        struct Size: Decodable, Sendable { var height: Int }
    }

    struct Total: Decodable, Sendable { var total: Int }

    enum Shape: Decodable, Sendable {
        case circle(radius: Double)
        case square(side: Double)
    }
}
