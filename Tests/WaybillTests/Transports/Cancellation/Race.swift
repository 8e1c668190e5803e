import Foundation
import Waybill
import WaybillTesting

/// Something that the cancellation of a call races with.
enum Race: String, Sendable, CaseIterable {
    case answer, chunks, timeLimit, redirect, bareRedirect, challenge

    /// How many different answers there are: one that came to the wrong call would show.
    static let variants = 8

    private static let moments: [Duration] = [.milliseconds(1), .milliseconds(2), .milliseconds(3), .milliseconds(4)]

    /// What the server answers.
    var answers: Answers {
        let entries = (0..<Self.variants).flatMap { number -> [(String, Responder)] in
            let text = Self.text(number)
            switch self {
            case .answer, .timeLimit: return [("POST \(number)", .text(text))]
            case .chunks: return [("POST \(number)", .text(text).chunked(size: 1))]
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
        return Answers(entries + [("GET fine", .text("fine"))])
    }

    /// The transports that calls take in turn; fewer calls may be on their way than come, so that some wait.
    func transports(_ carrier: Carrier) throws -> [any Transport] {
        guard self == .timeLimit else { return [try carrier.transport(Carrier.Settings(callsPerOrigin: 8))] }
        return try Self.moments.flatMap { moment in
            [
                try carrier.transport(Carrier.Settings(callsPerOrigin: 8, firstByte: moment)),
                try carrier.transport(Carrier.Settings(callsPerOrigin: 8, total: moment)),
            ]
        }
    }

    /// The errors that a call may end in, when it does not end in its answer.
    var errors: Set<TransportError.Kind> { self == .timeLimit ? [.cancelled, .timedOut] : [.cancelled] }

    /// How often a request goes to the server for a call, at most.
    var requestsPerCall: Int { self == .redirect ? 2 : 1 }

    /// Makes a call.
    ///
    /// - Returns: whether the answer is the right one.
    func call(_ number: Int, _ transport: any Transport, _ server: URL) async throws -> Bool {
        let number = number % Self.variants
        guard self != .redirect else {
            let value: [Int] = try await Client(server, transport: transport).post("\(number)", body: [number])
            return value == [number]
        }
        let body = HTTPBody(Data("\(number)".utf8))
        return try await transport.text(.post, server.appending(path: "\(number)"), body) == Self.text(number)
    }

    /// JSON of the number, and the longer the larger it is.
    private static func text(_ number: Int) -> String {
        "[\(number)" + String(repeating: " ", count: number * 40) + "]"
    }
}

extension Carrier {
    /// How often a race is run.
    ///
    /// Over libcurl it is 20,000 times in all, a tenth of that under the thread sanitizer. Over URLSession on Linux each takes several times as long, and holds up
    /// whatever else goes over a session at the same time.
    func cancellations(in race: Race) -> Int {
        let count =
            switch self {
            #if os(Linux)
                case .libcurl:
                    switch race {
                    case .answer, .chunks, .timeLimit: 5_000
                    case .redirect: 4_000
                    case .bareRedirect, .challenge: 500
                    }
            #endif
            case .urlSession: 300
            }
        return ThreadSanitizer.isOn ? count / 10 : count
    }
}
