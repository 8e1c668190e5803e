import Waybill
import WaybillSystem

/// A step that compresses the body of each request before the request is signed.
struct CompressionStep: CallStep {
    private let clause: Compressed
    private let coding: Compressed.Coding
    /// The latest body and its compressed form, kept because attempts and redirects send the same body.
    private let compressed: Locked<(plain: Data, coded: Data)?>

    /// Creates the step; nil if the system supports none of the clause's codings.
    init?(_ clause: Compressed) {
        guard let coding = clause.codings.first(where: { $0.isSupported }) else { return nil }
        self.clause = clause
        self.coding = coding
        // Set here: a default value would be allocated even for calls without the clause.
        compressed = Locked(nil)
    }

    func handle(_ request: CallRequest, of call: Call, next: @escaping Next) async throws(APIError) -> CallResponse {
        guard let body = request.body, request.uploadPart == nil, request.headerFields[.contentEncoding] == nil,
            body.length ?? .max >= max(1, clause.minimumBytes)
        else { return try await next(request) }
        let rejections = CodingRejections.shared(by: call)
        let origin = HTTPRequest.Origin(request.url)
        if let origin, rejections.contains(origin, coding) {
            call.report(.noted(Compressed.Rejection(coding: coding)))
            return try await next(request)
        }
        guard let coded = try coded(request, body, of: call) else { return try await next(request) }
        let response = try await next(coded)
        guard response.status == 415, rejects(response.headerFields) else { return response }
        if let origin { rejections.insert(origin, coding) }
        guard body.isReplayable else { return response }
        await response.message.discardBody()
        guard !Task.isCancelled else { throw call.failure(CancellationError()) }
        call.report(.noted(Compressed.Rejection(coding: coding)))
        return try await next(request)
    }

    /// Returns the request with its body compressed; nil if compression would not shorten the body.
    @inline(never)  // keeps frames small: see Architecture.md
    private func coded(_ request: CallRequest, _ body: HTTPBody, of call: Call) throws(APIError) -> CallRequest? {
        if let field = request.headerFields.first(where: { Self.describesBody($0.name) }) {
            throw .request(
                APIError.RequestFailure(
                    call.plan.failedCall(attempt: call.attempt),
                    clause: "Compressed",
                    value: coding.rawValue,
                    because: "\(field.name) was computed over the uncompressed body; compute it in a Signed.Signer, "
                        + "which gets the compressed body, or declare Compressed.none"
                )
            )
        }
        var coded = request
        if let bytes = body.bytes {
            guard let whole = whole(bytes), whole.count < bytes.count else { return nil }
            coded.body = HTTPBody(whole)
        } else {
            coded.body = HTTPBody(CodedChunks(body: body, coding: coding), isReplayable: body.isReplayable)
        }
        coded.headerFields.append(HTTPField(name: .contentEncoding, value: coding.rawValue))
        coded.headerFields.removeAll(named: .contentLength)
        return coded
    }

    private func whole(_ bytes: Data) -> Data? {
        if let known = compressed.withLock({ $0 }), known.plain == bytes { return known.coded }
        guard var encoder = ContentEncoder(coding), let coded = encoder.encode(bytes, isLast: true) else { return nil }
        compressed.withLock { $0 = (bytes, coded) }
        return coded
    }

    /// Whether a field contains a digest or signature of the uncompressed body.
    private static func describesBody(_ name: HTTPField.Name) -> Bool {
        ["content-digest", "repr-digest", "digest", "content-md5", "signature", "x-amz-content-sha256"]
            .contains(name.canonicalName)
    }

    /// Whether a 415 response means that the server does not accept the coding (RFC 7694, section 3).
    private func rejects(_ fields: HTTPFields) -> Bool {
        let values = fields[values: .acceptEncoding]
        guard !values.isEmpty else { return false }
        let items = values.flatMap { $0.split(separator: ",") }.map { item in
            item.split(separator: ";").map { $0.trimmed().asciiLowercased }
        }
        // An explicit entry takes precedence over `*` (RFC 9110, section 12.5.3).
        let names = coding == .gzip ? ["gzip", "x-gzip", "*"] : [coding.rawValue, "*"]
        guard let item = names.lazy.compactMap({ name in items.first { $0.first == name } }).first else { return true }
        return item.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } == 0
    }
}

/// The content codings rejected by each origin, shared by all calls of a client.
private final class CodingRejections: Sendable {
    private struct Rejection: Hashable {
        let origin: HTTPRequest.Origin
        let coding: Compressed.Coding
    }

    private let all = Locked<Set<Rejection>>([])

    static func shared(by call: Call) -> CodingRejections {
        call.context.storage.state(for: "coding rejections") { CodingRejections() }
    }

    func contains(_ origin: HTTPRequest.Origin, _ coding: Compressed.Coding) -> Bool {
        all.withLock { $0.contains(Rejection(origin: origin, coding: coding)) }
    }

    func insert(_ origin: HTTPRequest.Origin, _ coding: Compressed.Coding) {
        _ = all.withLock { $0.insert(Rejection(origin: origin, coding: coding)) }
    }
}

/// The chunks of a body, compressed as it is read.
private struct CodedChunks: AsyncSequence, Sendable {
    typealias Element = Data

    let body: HTTPBody
    let coding: Compressed.Coding

    func makeAsyncIterator() -> Iterator { Iterator(chunks: body.makeAsyncIterator(), coding: coding) }

    final class Iterator: AsyncIteratorProtocol {
        private var chunks: HTTPBody.Iterator
        private var encoder: ContentEncoder?
        private var isOver = false

        init(chunks: HTTPBody.Iterator, coding: Compressed.Coding) {
            self.chunks = chunks
            encoder = ContentEncoder(coding)
        }

        func next() async throws -> Data? {
            while !isOver {
                let chunk = try await chunks.next()
                isOver = chunk == nil
                guard let coded = encoder?.encode(chunk ?? Data(), isLast: isOver) else {
                    throw TransportError(.unsupportedRequest, "its body could not be compressed")
                }
                if !coded.isEmpty { return coded }
            }
            return nil
        }
    }
}

extension Compressed: CallOption {
    /// The clause itself.
    public var _option: (any AnyObject & Sendable)? { CallPart(self) }

    package func addSteps(to steps: inout CallSteps, of call: Call) { steps.add(CompressionStep(self), at: .content) }
}
