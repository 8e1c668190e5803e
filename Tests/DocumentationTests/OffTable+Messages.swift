import Foundation
import Waybill
import WaybillSessions
import WaybillTransfers

// All rows, and those for requests and responses.
nonisolated extension OffTable {
    static let rows = requests + responses + calls + options + streams + needless

    private static let needless = [
        "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY", "Route", "Body", "Multipart", "Secret",
        "Style", "On",
    ].map { Row(clause: $0, off: "", evidence: .needless) }

    static let requests: [Row] = [
        row("Query", read, by: "Query(removing: \"q\")") {
            Query("a", 1)
        } off: {
            Query(removing: "a")
        },
        row("Header", read, by: "Header(removing: .ifMatch)") {
            Header(.acceptLanguage, "de")
        } off: {
            Header(removing: .acceptLanguage)
        },
        row("IfMatch", read, by: "Header(removing: .ifMatch)") {
            IfMatch(.any)
        } off: {
            Header(removing: .ifMatch)
        },
        row("IfNoneMatch", read, by: "Header(removing: .ifMatch)") {
            IfNoneMatch(.any)
        } off: {
            Header(removing: .ifNoneMatch)
        },
        row("IfModifiedSince", read, by: "Header(removing: .ifMatch)") {
            IfModifiedSince(Date(timeIntervalSince1970: 0))
        } off: {
            Header(removing: .ifModifiedSince)
        },
        row("IfUnmodifiedSince", read, by: "Header(removing: .ifMatch)") {
            IfUnmodifiedSince(Date(timeIntervalSince1970: 0))
        } off: {
            Header(removing: .ifUnmodifiedSince)
        },
        row("Body.Member", posted, by: "Body.Member(removing: \"limit\")") {
            Body.Member(["a", "b"], 1)
        } off: {
            Body.Member(removing: "a")
        },
        row("Body.Format", posted) {
            Body.Format(under: "thing", as: .form, nils: .null)
        } off: {
            Body.Format.none
        },
        row("Body.Differences", patched) {
            Body.Differences(as: .jsonPatch)
        } off: {
            Body.Differences.none
        },
        row("Encode", posted) {
            Encode(keys: .convertToSnakeCase)
        } off: {
            Encode.none
        },
        row("Authorization", read) {
            Authorization(.bearer("a"))
        } off: {
            Authorization.none
        },
        row("Signed", read) {
            Signed(by: Signature())
        } off: {
            Signed.none
        },
        row("IdempotencyKey", posted) {
            IdempotencyKey()
        } off: {
            IdempotencyKey.none
        },
        row("Cookies", read) {
            Cookies(CookieJar([CookieJar.Cookie("a", "1", domain: "shop.example")]))
        } off: {
            Cookies.none
        },
        row("Compressed", uploaded) {
            Compressed(.gzip, minimumBytes: 1)
        } off: {
            Compressed.none
        },
    ]

    static let responses: [Row] = [
        row("Envelope", read) {
            Envelope("data")
        } off: {
            Envelope.none
        },
        row("Metadata", read) {
            Metadata(Int.self, at: "total")
        } off: {
            Metadata.none
        },
        row("Decode", read) {
            Decode(keys: .convertFromSnakeCase)
        } off: {
            Decode.none
        },
        row("DropInvalidItems", listed, body: #"[{"id":1},{"id":"a"}]"#) {
            DropInvalidItems()
        } off: {
            DropInvalidItems.none
        },
        row("Problem", read, status: 409) {
            Problem(Fault.self)
        } off: {
            Problem.none
        },
        row("Success", read, by: "Success(.success)", status: 404) {
            Success(404)
        } off: {
            Success(.success)
        },
        row("BodyLimits", read) {
            BodyLimits(successBytes: 1)
        } off: {
            BodyLimits.none
        },
        row("WriteResult", created) {
            WriteResult(.reread)
        } off: {
            WriteResult.none
        },
        row("WriteResult.ItemProblem", createdTogether, body: #"[{"error":"a","id":1}]"#) {
            WriteResult.ItemProblem(Fault.self, at: "error")
        } off: {
            WriteResult.ItemProblem.none
        },
        row("Paginated", paged, body: "[]") {
            Paginated(.pageNumber("page"))
        } off: {
            Paginated.none
        },
    ]
}
