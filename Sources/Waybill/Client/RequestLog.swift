import Foundation

/// Logs each request and its response as numbered lines, through a function of the app's own.
///
/// ```swift
/// Client(url) { Use(RequestLog { logger.debug("\($0)") }) }
/// // → 1 GET products/{} https://shop.example/products/7
/// // ← 1 200 OK in 34 ms, application/json
/// ```
///
/// Secrets are redacted. Without the clause nothing is logged.
public struct RequestLog: Middleware {
    /// How much is logged.
    public enum Detail: Sendable, Hashable {
        /// One line a request, one a response.
        case lines
        /// Header fields as well.
        case headers
    }

    private let detail: Detail
    private let clock: any Clock<Duration>
    private let write: @Sendable (String) -> Void
    private let numbers = Counter()

    /// A log.
    ///
    /// - Parameters:
    ///   - detail: how much is logged.
    ///   - clock: what durations are measured with.
    ///   - write: takes a line, or several where header fields are logged. It is called from any task.
    public init(
        _ detail: Detail = .lines,
        clock: some Clock<Duration> = ContinuousClock(),
        write: @escaping @Sendable (String) -> Void
    ) {
        self.detail = detail
        self.clock = clock
        self.write = write
    }

    /// Logs the request, and then the response or the error.
    public func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
        let number = numbers.next()
        let secretNames = call.plan.secretNames
        let url = Redaction.url(request.url, secretNames: secretNames)
        write("→ \(number) \(request.method) \(request.template) \(url)" + fields(request.headerFields, secretNames))
        var outcome: Result<HTTPResponse, APIError>?
        let duration = await clock.measureAsync {
            do throws(APIError) {
                outcome = .success(try await next(request))
            } catch {
                outcome = .failure(error)
            }
        }
        switch outcome {
        case .success(let response):
            let type = response.headerFields[.contentType].map { ", \(MediaType($0))" } ?? ""
            write(
                "← \(number) \(response.status) in \(duration.milliseconds)\(type)"
                    + fields(response.headerFields, secretNames)
            )
            return response
        case .failure(let error):
            write("✗ \(number) after \(duration.milliseconds): \(error.description.prefix { $0 != "\n" })")
            throw error
        case nil:
            throw call.failure(CancellationError())
        }
    }

    private func fields(_ fields: HTTPFields, _ secretNames: SecretNameSet) -> String {
        guard detail == .headers else { return "" }
        return fields.map { "\n    \($0.name): \(Redaction.value(of: $0, secretNames: secretNames))" }.joined()
    }
}

extension Clock where Duration == Swift.Duration {
    /// How long the work takes on any clock.
    fileprivate func measureAsync(_ work: () async -> Void) async -> Duration {
        let start = now
        await work()
        return start.duration(to: now)
    }
}

extension Duration {
    fileprivate var milliseconds: String {
        "\(components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000) ms"
    }
}
