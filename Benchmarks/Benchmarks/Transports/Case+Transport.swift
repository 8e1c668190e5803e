import Foundation

extension Case {
    /// Returns cases for small exchanges, with different numbers of calls in flight.
    static func exchanges(through transports: [MeasuredTransport], on server: ServerProcess) -> [Case] {
        let compared = transports + MeasuredTransport.variants.filter { (try? $0.make()) != nil }
        return [1, 16, 64, 256].map { tasks in
            Case("c=\(tasks)", compared.flatMap { Subject.exchanges(through: $0, concurrently: tasks, on: server) })
        }
    }

    /// Returns cases for a body too large to buffer, with a fast and a slow consumer.
    static func largeBodies(through transports: [MeasuredTransport], on server: ServerProcess) -> [Case] {
        [("500 MB, fast consumer", MemoryProbe.fastConsumer), ("500 MB, slow consumer", .slowConsumer)].map {
            name,
            probe in
            Case(
                name,
                transports.map {
                    Subject($0, probe, on: server) { try await LargeBody(transport: $0, server: $1).announcedLength() }
                },
                rounds: 3
            )
        }
    }

    /// Returns cases for many concurrent endpoint calls over 16 connections.
    static func waitingCalls(through transports: [MeasuredTransport], on server: ServerProcess) -> [Case] {
        [("1,000 endpoints at once", MemoryProbe.thousandCalls), ("10,000 endpoints at once", .tenThousandCalls)].map {
            name,
            probe in
            Case(
                name,
                transports.map {
                    Subject($0, probe, on: server) { try await Exchange(endpointOver: $0, server: $1).product() }
                },
                rounds: 3
            )
        }
    }

    /// Returns cases for the memory retained after many requests.
    static func manyRequests(through transports: [MeasuredTransport], on server: ServerProcess) -> [Case] {
        [
            Case(
                "100,000 requests",
                transports.map {
                    Subject($0, .manyRequests, on: server) { try await Exchange(transport: $0, server: $1).product() }
                },
                rounds: 1
            )
        ]
    }
}
