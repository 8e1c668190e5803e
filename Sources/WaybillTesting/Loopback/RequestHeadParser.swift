import Foundation
import Waybill

/// A strict parser of request heads.
///
/// It rejects what RFC 9112 lets a server tolerate, to expose clients that depend on leniency.
enum RequestHeadParser {
    /// Parses a head.
    ///
    /// - Parameter bytes: the bytes from the request line through the empty line.
    /// - Returns: the head.
    /// - Throws: ``RequestRejection`` if the head is malformed.
    static func parse(_ bytes: ArraySlice<UInt8>) throws(RequestRejection) -> RequestHead {
        var lines = try lines(of: bytes)
        guard let first = lines.popFirst() else { throw .malformed("there is no request line") }
        let (method, target, minorVersion) = try requestLine(first)
        var fields = HTTPFields()
        for line in lines { fields.append(try field(line)) }
        if minorVersion >= 1, fields[values: .host].count != 1 {
            throw .malformed("there must be one Host field, and there are \(fields[values: .host].count)")
        }
        return RequestHead(
            method: method,
            target: target,
            minorVersion: minorVersion,
            headerFields: fields,
            framing: try framing(fields, minorVersion: minorVersion),
            bytes: Data(bytes)
        )
    }

    /// Parses one `name: value` line of header or trailer fields.
    static func field(_ line: ArraySlice<UInt8>) throws(RequestRejection) -> HTTPField {
        if line.first == UInt8(ascii: " ") || line.first == UInt8(ascii: "\t") {
            throw .malformed("a field is folded over two lines: \(quoted(line))")
        }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
            throw .malformed("a field has no colon: \(quoted(line))")
        }
        guard let name = HTTPField.Name(String(decoding: line[..<colon], as: UTF8.self)) else {
            throw .malformed("a field's name is not a token: \(quoted(line))")
        }
        let value = FieldText.text(of: line[(colon + 1)...])
        guard HTTPField.isValid(value: value) else {
            throw .malformed("a field's value has a control character: \(quoted(line))")
        }
        return HTTPField(name: name, value: value)
    }

    static func lines(of bytes: ArraySlice<UInt8>) throws(RequestRejection) -> ArraySlice<ArraySlice<UInt8>> {
        var lines: [ArraySlice<UInt8>] = []
        var rest = bytes
        while let end = rest.firstIndex(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) {
            guard rest[end...].starts(with: [UInt8(ascii: "\r"), UInt8(ascii: "\n")]) else {
                throw .malformed("a line ends in a bare CR or LF: \(quoted(rest[...end]))")
            }
            if end > rest.startIndex { lines.append(rest[..<end]) }
            rest = rest[(end + 2)...]
        }
        return lines[...]
    }

    private static func requestLine(
        _ line: ArraySlice<UInt8>
    ) throws(RequestRejection) -> (HTTPRequest.Method, String, Int) {
        let parts = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard parts.count == 3 else {
            throw .malformed("the request line is not a method, a target and a version: \(quoted(line))")
        }
        guard let method = HTTPRequest.Method(String(decoding: parts[0], as: UTF8.self)) else {
            throw .malformed("the method is not a token: \(quoted(line))")
        }
        let version = String(decoding: parts[2], as: UTF8.self)
        guard version == "HTTP/1.1" || version == "HTTP/1.0" else {
            guard version.hasPrefix("HTTP/") else { throw .malformed("the HTTP version is invalid: \(quoted(line))") }
            throw RequestRejection(status: 505, reason: "only HTTP/1.1 and HTTP/1.0 are supported: \(quoted(line))")
        }
        let target = parts[1]
        guard !target.isEmpty, target.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }) else {
            throw .malformed("the target has an invalid character: \(quoted(line))")
        }
        let text = String(decoding: target, as: UTF8.self)
        guard text.hasPrefix("/") || text.contains("://") || (text == "*" && method == .options) else {
            throw .malformed("the target is neither a path nor a URL: \(quoted(line))")
        }
        return (method, text, version == "HTTP/1.1" ? 1 : 0)
    }

    private static func framing(
        _ fields: HTTPFields,
        minorVersion: Int
    ) throws(RequestRejection) -> RequestHead.Framing {
        let lengths = fields[values: .contentLength]
        if let coding = fields[.transferEncoding] {
            guard lengths.isEmpty else { throw .malformed("there are both Content-Length and Transfer-Encoding") }
            guard minorVersion >= 1 else { throw .malformed("HTTP/1.0 has no Transfer-Encoding") }
            guard coding.lowercased() == "chunked" else {
                throw RequestRejection(status: 501, reason: "the transfer coding is not supported: \(coding)")
            }
            return .chunked
        }
        guard let length = lengths.first else { return .length(0) }
        guard lengths.count == 1 else { throw .malformed("there are \(lengths.count) Content-Length fields") }
        guard !length.isEmpty, length.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            throw .malformed("Content-Length is not a number: \(length)")
        }
        // A number too large for `Int` exceeds any limit.
        return .length(Int(length) ?? .max)
    }

    private static func quoted(_ line: ArraySlice<UInt8>) -> String {
        String(decoding: line.prefix(100), as: UTF8.self).debugDescription
    }
}

/// The parsed head of a request (RFC 9112, sections 3 and 5).
struct RequestHead: Sendable, Hashable {
    /// The framing of the body, which determines its end.
    enum Framing: Sendable, Hashable {
        case length(Int)
        case chunked
    }

    let method: HTTPRequest.Method
    let target: String
    /// The `x` in `HTTP/1.x`.
    let minorVersion: Int
    let headerFields: HTTPFields
    let framing: Framing
    /// The bytes from the request line through the empty line.
    let bytes: Data

    /// Whether the connection can be used for another request (RFC 9112, section 9.3).
    var isPersistent: Bool {
        let options = list(.connection)
        if options.contains("close") { return false }
        return minorVersion >= 1 || options.contains("keep-alive")
    }

    /// Whether the client waits for a 100 (Continue) response before it sends the body (RFC 9110, section 10.1.1).
    var expectsContinue: Bool { minorVersion >= 1 && list(.expect).contains("100-continue") }

    /// The path of the target, including its leading slash but not the query.
    var path: String {
        let path = originForm.prefix { $0 != "?" }
        return path.isEmpty ? "/" : String(path)
    }

    /// The query of the target, without the question mark; nil if it has none.
    var query: String? {
        originForm.firstIndex(of: "?").map { String(originForm[originForm.index(after: $0)...]) }
    }

    /// Whether the target is an absolute URL, as in requests to a proxy (RFC 9112, section 3.2.2).
    var hasAbsoluteTarget: Bool { target.contains("://") && !target.hasPrefix("/") }

    private var originForm: Substring {
        guard hasAbsoluteTarget, let scheme = target.range(of: "://") else { return target[...] }
        return target[scheme.upperBound...].drop { $0 != "/" && $0 != "?" }
    }

    private func list(_ name: HTTPField.Name) -> [String] {
        (headerFields[name] ?? "").split(separator: ",").map { $0.lowercased().trimmingCharacters(in: .whitespaces) }
    }
}

/// The error for a request that is rejected before its response is looked up.
struct RequestRejection: Error, Sendable, Hashable {
    let status: HTTPResponse.Status
    let reason: String

    /// Creates a 400 rejection for bytes that are not a valid HTTP/1.1 request.
    static func malformed(_ reason: String) -> Self { Self(status: 400, reason: reason) }
}
