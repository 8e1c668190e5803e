import CallSupport
import Foundation
import TestSupport
import Waybill
import WaybillTesting

/// An event that races with the cancellation of a call.
enum Race: String, Sendable, CaseIterable {
    case response, chunks, timeLimit, redirect, bareRedirect, challenge

    /// The number of distinct responses, so that a response delivered to the wrong call is noticed.
    static let variants = 8

    private static let moments: [Duration] = [.milliseconds(1), .milliseconds(2), .milliseconds(3), .milliseconds(4)]

    /// The server's response.
    var responses: StubResponses {
        let entries = (0..<Self.variants).flatMap { number -> [(String, Responder)] in
            let text = Self.text(number)
            switch self {
            case .response, .timeLimit: return [("POST \(number)", .text(text))]
            case .chunks: return [("POST \(number)", .text(text).chunked(bytes: 1))]
            case .redirect:
                return [
                    ("POST \(number)", .redirect(to: "/there/\(number)", status: number.isMultiple(of: 2) ? 307 : 302)),
                    ("POST there/\(number)", .json(text)), ("GET there/\(number)", .json(text)),
                ]
            case .bareRedirect: return [("POST \(number)", .text(text, status: 302).header("Location", "/other"))]
            case .challenge:
                let basic = Responder.text(text, status: 401).header("WWW-Authenticate", "Basic realm=\"x\"")
                return [("POST \(number)", basic)]
            }
        }
        return StubResponses(entries + [("GET fine", .text("fine"))])
    }

    /// Returns the transports to use in rotation.
    ///
    /// They allow fewer calls in flight than the race makes, so some calls wait.
    func transports(_ carrier: Carrier) throws -> [any Transport] {
        guard self == .timeLimit else { return [try carrier.transport(Carrier.Settings(callsPerOrigin: 8))] }
        return try Self.moments.flatMap { moment in
            [
                try carrier.transport(Carrier.Settings(callsPerOrigin: 8, firstByte: moment)),
                try carrier.transport(Carrier.Settings(callsPerOrigin: 8, total: moment)),
            ]
        }
    }

    /// The errors that can replace the response.
    var errors: Set<TransportError.Kind> { self == .timeLimit ? [.cancelled, .timedOut] : [.cancelled] }

    /// The maximum number of requests to the server for one call.
    var requestsPerCall: Int { self == .redirect ? 2 : 1 }

    /// Makes a call.
    ///
    /// - Returns: whether the response is the expected one.
    func call(_ number: Int, _ transport: any Transport, _ server: URL) async throws -> Bool {
        let number = number % Self.variants
        guard self != .redirect else {
            let value: [Int] = try await Client(server, transport: transport).post("\(number)", body: [number])
            return value == [number]
        }
        let body = HTTPBody(Data("\(number)".utf8))
        return try await transport.text(.post, server.appending(path: "\(number)"), body) == Self.text(number)
    }

    /// Returns the number as JSON, padded so that larger numbers give longer texts.
    private static func text(_ number: Int) -> String {
        "[\(number)" + String(repeating: " ", count: number * 40) + "]"
    }
}

extension Carrier {
    /// Returns the number of times to run a race.
    ///
    /// Over libcurl there are 20,000 runs in total, or a tenth of that under the thread sanitizer. Over URLSession on
    /// Linux, each run takes several times as long and delays everything else that uses a session at the same time.
    func cancellations(in race: Race) -> Int {
        let count =
            switch self {
            #if os(Linux)
                case .libcurl:
                    switch race {
                    case .response, .chunks, .timeLimit: 5_000
                    case .redirect: 4_000
                    case .bareRedirect, .challenge: 500
                    }
            #endif
            case .urlSession: 300
            }
        return ThreadSanitizer.isOn ? count / 10 : count
    }
}
