import Foundation
import Waybill

/// The walkthrough's output: plain lines with a mark for each kind, in color if the terminal supports it.
///
/// It is not isolated to an actor, because a middleware also uses it.
///
///     Read
///       try await shop.products.read(6)
///       > GET /products/6                 what was sent
///       < 200 OK (application/json)       what came back
///       = Product(…)                      what the call returned
///       ! …                               what it threw
nonisolated struct Console: Sendable {
    let isColored: Bool

    /// The standard output, in color if it is a terminal and `NO_COLOR` is not set (no-color.org).
    static let standardOutput = Console(
        isColored: isatty(STDOUT_FILENO) == 1 && ProcessInfo.processInfo.environment["NO_COLOR"] == nil
    )

    /// Prints the title of a step and its code.
    func heading(_ title: String, code: [String]) {
        print("\n" + painted(title, .bold))
        for line in code { print("  " + painted(line, .cyan)) }
    }

    /// Prints a request: its method, path and query, and its body with the media type.
    func sent(_ request: HTTPRequest) {
        let query = request.url.query(percentEncoded: true).map { "?\($0)" } ?? ""
        let head = "\(request.method) \(request.url.path(percentEncoded: true))\(query)"
        exchange(">", head, request.headerFields, request.body?.bytes ?? Data(), .blue)
    }

    /// Prints a response: its status, and its body with the media type.
    func received(_ response: HTTPResponse, body: Data) {
        let color = response.status.kind == .successful ? Color.green : .yellow
        exchange("<", "\(response.status)", response.headerFields, body, color)
    }

    /// Prints the result of a step.
    func result(_ text: String) { lines(of: text, marked: "=", .plain) }

    /// Prints the error that a step threw.
    func error(_ text: String) { lines(of: text, marked: "!", .red) }

    /// Prints a line about the walkthrough itself.
    func note(_ text: String) { print(painted(text, .bold)) }
}

nonisolated extension Console {
    private enum Color: String {
        case plain = "", bold = "1", red = "31", green = "32", yellow = "33", blue = "34", cyan = "36"
    }

    private func painted(_ text: String, _ color: Color) -> String {
        isColored && color != .plain ? "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m" : text
    }

    private func lines(of text: String, marked mark: String, _ color: Color) {
        for line in text.components(separatedBy: "\n") { print("  " + painted("\(mark) \(line)", color)) }
    }

    private func exchange(_ mark: String, _ head: String, _ fields: HTTPFields, _ body: Data, _ color: Color) {
        let type = body.isEmpty ? nil : fields[.contentType].map { " (\($0))" }
        lines(of: head + (type ?? ""), marked: mark, color)
        if !body.isEmpty { lines(of: Self.clipped(String(decoding: body, as: UTF8.self)), marked: mark, color) }
    }

    /// Shortens a long text, such as the body of a list, to a line of at most 100 columns including its mark.
    private static func clipped(_ text: String, to width: Int = 96) -> String {
        guard text.count > width else { return text }
        let length = "... (\(text.utf8.count) bytes)"
        return text.prefix(width - length.count) + length
    }
}

/// A middleware that prints each request and its response.
struct PrintExchanges: Middleware {
    let console: Console

    /// Prints the request, collects and prints the response body, and passes both on unchanged.
    func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
        console.sent(request)
        var response = try await next(request)
        do throws(TransportError) {
            let body = try await response.body.collect()
            console.received(response, body: body)
            response.body = HTTPBody(body)
        } catch {
            throw call.failure(error)
        }
        return response
    }
}
