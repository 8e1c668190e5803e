import Waybill
import WaybillFiles
import WaybillSystem

/// The file format of an entry: a fixed header with the format version, a checksum, and the entry with its ID.
///
/// A file is rejected if it is truncated or modified, has a different format version, or contains a different entry.
enum CacheFile {
    /// The first bytes of each file; the last one is the format version.
    static let header: [UInt8] = Array("WaybillCache".utf8) + [1]

    private static let checksumLength = 32

    /// Encodes an entry in the file format.
    static func data(of response: StoredResponse, id: CacheEntryID) -> Data {
        var payload = Data()
        for text in [id.key.url, id.key.owner, id.variant, response.variant.digest] { payload.append(text: text) }
        payload.append(number: UInt64(response.variant.names.count))
        for name in response.variant.names { payload.append(text: name) }
        payload.append(number: response.requestDate.timeIntervalSince1970.bitPattern)
        payload.append(number: response.responseDate.timeIntervalSince1970.bitPattern)
        payload.append(number: UInt64(bitPattern: Int64(response.status.code)))
        payload.append(text: response.status.reasonPhrase)
        payload.append(number: UInt64(response.headerFields.count))
        for field in response.headerFields {
            payload.append(text: field.name.rawName)
            payload.append(text: field.value)
        }
        payload.append(number: UInt64(response.body.count))
        payload.append(response.body)
        return Data(header) + Data(SHA256.hash(payload)) + payload
    }

    /// Decodes an entry; returns nil if the data is not a valid file for the entry with this ID.
    static func response(in data: Data, id: CacheEntryID) -> StoredResponse? {
        let payload = data.dropFirst(header.count + checksumLength)
        guard data.starts(with: header), data.count > header.count + checksumLength,
            data.dropFirst(header.count).prefix(checksumLength).elementsEqual(SHA256.hash(payload))
        else { return nil }
        var reader = CacheFileReader(payload)
        return reader.response(id: id)
    }
}

/// A reader that parses an encoded entry; each method returns nil if bytes are missing or invalid.
private struct CacheFileReader {
    private var rest: Data

    init(_ data: Data) { rest = data }

    mutating func response(id: CacheEntryID) -> StoredResponse? {
        guard text() == id.key.url, text() == id.key.owner, text() == id.variant,
            let digest = text(), let names = list({ $0.text() }),
            let requestDate = date(), let responseDate = date(),
            let code = number().flatMap({ Int(exactly: Int64(bitPattern: $0)) }), let reason = text(),
            let fields = list({ $0.field() }), let body = bytes(), rest.isEmpty
        else { return nil }
        return StoredResponse(
            status: HTTPResponse.Status(code: code, reasonPhrase: reason),
            headerFields: HTTPFields(fields),
            body: Data(body),
            requestDate: requestDate,
            responseDate: responseDate,
            variant: Variant(names: names, digest: digest)
        )
    }

    private mutating func list<Element>(_ element: (inout Self) -> Element?) -> [Element]? {
        guard let count = number(), count <= UInt64(rest.count) else { return nil }
        var elements: [Element] = []
        for _ in 0..<count {
            guard let next = element(&self) else { return nil }
            elements.append(next)
        }
        return elements
    }

    private mutating func field() -> HTTPField? {
        guard let name = text().flatMap({ HTTPField.Name($0) }), let value = text(), HTTPField.isValid(value: value)
        else { return nil }
        return HTTPField(name: name, value: value)
    }

    private mutating func date() -> Date? {
        guard let seconds = number().map({ Double(bitPattern: $0) }), seconds.isFinite else { return nil }
        return Date(timeIntervalSince1970: seconds)
    }

    private mutating func text() -> String? { bytes().flatMap { String(data: $0, encoding: .utf8) } }

    private mutating func bytes() -> Data? {
        guard let count = number(), count <= UInt64(rest.count) else { return nil }
        defer { rest = rest.dropFirst(Int(count)) }
        return rest.prefix(Int(count))
    }

    private mutating func number() -> UInt64? {
        guard rest.count >= 8 else { return nil }
        defer { rest = rest.dropFirst(8) }
        return rest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}

extension Data {
    fileprivate mutating func append(number: UInt64) {
        for shift in stride(from: 56, through: 0, by: -8) { append(UInt8(truncatingIfNeeded: number >> UInt64(shift))) }
    }

    fileprivate mutating func append(text: String) {
        append(number: UInt64(text.utf8.count))
        append(contentsOf: text.utf8)
    }
}
