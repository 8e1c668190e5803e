import Foundation
import Testing
import Waybill
import WaybillSessions

/// The exchanges and dates of abarth/http-state, interpreted according to RFC 6265bis.
@Suite("http-state cookies")
struct CookieSuiteTests {
    private struct Exchange: Decodable {
        struct Sent: Decodable {
            let name: String
            let value: String
        }

        let test: String
        let received: [String]
        let sent: [Sent]
        let target: String?

        private enum CodingKeys: String, CodingKey {
            case test, received, sent
            case target = "sent-to"
        }
    }

    private struct Dated: Decodable {
        let test: String
        let expected: String?
    }

    /// The cookies to send under RFC 6265bis where the suite expects others.
    ///
    /// The suite follows RFC 6265, in which text without an equals sign is not a cookie and an empty `Domain` is
    /// ignored.
    private static let changed: [String: String] = [
        "0004": "foo", "0021": "a=b; x; c=d", "0023": "foo", "0024": "foo", "0025": "foo", "0026": "foo", "0027": "bar",
        "0028": "foo", "CHROMIUM0009": "BLAHHH", "CHROMIUM0010": #""BLA\"HHH""#, "CHROMIUM0012": "ABC",
        "MOZILLA0012": #"test="fubar! = foo; five"#, "MOZILLA0014": "six", "MOZILLA0015": "seven",
        "MOZILLA0016": "eight", "MOZILLA0017": "eight; test=six", "NAME0017": "a=bar", "NAME0023": "foo",
        "NAME0025": "==a=bar", "NAME0028": "a", "NAME0031": #""foo"#, "NAME0032": #""foo\"bar"#, "NAME0033": "aaa",
        "OPTIONAL_DOMAIN0042": "foo=bar",
        // A header field contains no control characters: they become spaces before the jar sees them.
        "DISABLED_CHROMIUM0022": "AAA=BB ZYX", "DISABLED_CHROMIUM0023": "AAA=BB ZYX",
        // Paths are compared as written; the suite leaves this open.
        "DISABLED_PATH0029": "",
    ]

    @Test("Each exchange sends the cookies that RFC 6265bis requires")
    func exchanges() throws {
        guard let suite = SharedSuite("cookies") else { return }
        let data = try Data(contentsOf: suite.folder.appending(path: "parser.json"))
        let exchanges = try WaybillJSONDecoder().decode([Exchange].self, from: data)
        #expect(exchanges.count == 222)
        // The suite is from 2011. Its cookies expire in 2019 and 2027.
        let now = Date(timeIntervalSince1970: 1_300_000_000)
        var changed = Self.changed
        for exchange in exchanges {
            let source = try #require(URL(string: "http://home.example.org:8888/cookie-parser?\(exchange.test)"))
            let path = exchange.target ?? "/cookie-parser-result?\(exchange.test)"
            let target = try #require(URL(string: path, relativeTo: source)).absoluteURL
            let jar = CookieJar()
            let fields = exchange.received.map { HTTPField(name: .setCookie, value: $0) }
            jar.store(HTTPFields(fields), from: source, at: now)
            let sent = jar.cookies(for: target, at: now).map { $0.name.isEmpty ? $0.value : "\($0.name)=\($0.value)" }
            let expected = exchange.sent.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
            let decided = changed.removeValue(forKey: exchange.test)
            #expect(decided != expected, "\(exchange.test) is no difference")
            #expect(sent.joined(separator: "; ") == decided ?? expected, "\(exchange.test): \(exchange.received)")
        }
        #expect(changed.isEmpty)
    }

    @Test("Each date is accepted or rejected as the suite specifies", arguments: ["examples", "bsd-examples"])
    func dates(file: String) throws {
        guard let suite = SharedSuite("cookies") else { return }
        let text = try String(contentsOf: suite.folder.appending(path: "dates/\(file).json"), encoding: .utf8)
        // A license precedes the document.
        let document = try #require(text.firstIndex(of: "[").map { text[$0...] })
        let dates = try WaybillJSONDecoder().decode([Dated].self, from: Data(document.utf8))
        #expect(dates.count > 10)
        for dated in dates {
            let url = try #require(URL(string: "https://a.example"))
            let jar = CookieJar()
            // Before every date in the suite: an expired cookie would not be stored.
            let early = Date(timeIntervalSince1970: -60_000_000_000)
            jar.store([HTTPField(name: .setCookie, value: "a=b; Expires=\(dated.test)")], from: url, at: early)
            let isDate = jar.cookies(for: url, at: early).first?.expires != nil
            #expect(isDate == (dated.expected != nil), "\(dated.test)")
        }
    }
}
