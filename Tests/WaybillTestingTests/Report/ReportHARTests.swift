import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("Reports of HAR files from other tools")
struct ReportHARTests {
    /// A shortened Chrome export: HTTP/2 with pseudo-header fields, a disk cache hit and a blocked request.
    private static let chrome = #"""
        {"log": {"version": "1.2", "creator": {"name": "WebInspector", "version": "537.36"},
        "pages": [{"startedDateTime": "2026-11-25T15:45:59.000Z", "id": "page_1", "title": "https://shop.example/",
        "pageTimings": {"onContentLoad": 401.5, "onLoad": 812.25}}],
        "entries": [
        {"_initiator": {"type": "script"}, "_priority": "High", "_resourceType": "fetch", "cache": {},
        "connection": "443", "pageref": "page_1", "serverIPAddress": "93.184.216.34",
        "startedDateTime": "2026-11-25T16:45:59.250+01:00", "time": 250.5,
        "request": {"method": "POST", "url": "https://user:pass@shop.example/login?api_key=k3y-in-query&page=2",
        "httpVersion": "h2", "headers": [{"name": ":authority", "value": "shop.example"},
        {"name": ":path", "value": "/login?api_key=k3y-in-query&page=2"},
        {"name": "cookie", "value": "sid=s1d-of-the-cookie; theme=dark"},
        {"name": "authorization", "value": "Bearer b3arer-token"}, {"name": "accept", "value": "*/*"}],
        "queryString": [], "cookies": [{"name": "sid", "value": "s1d-of-the-cookie"}], "headersSize": -1,
        "bodySize": 40, "postData": {"mimeType": "application/x-www-form-urlencoded",
        "params": [{"name": "user", "value": "ann"}, {"name": "password", "value": "p4ssword-of-ann"}]}},
        "response": {"status": 200, "statusText": "", "httpVersion": "h2", "headers": [
        {"name": "content-type", "value": "application/json"},
        {"name": "set-cookie", "value": "sid=n3w-sid-value; HttpOnly"}], "cookies": [],
        "content": {"size": 71, "mimeType": "application/json",
        "text": "{\"seen\":\"b3arer-token\",\"refresh_token\":\"r3fresh-of-server\",\"ok\":true}"},
        "redirectURL": "", "headersSize": -1, "bodySize": -1, "_transferSize": 190, "_error": null},
        "timings": {"blocked": 10.5, "dns": 12, "ssl": 30, "connect": 50, "send": 1, "wait": 150, "receive": 27,
        "_blocked_queueing": 2.1}},
        {"_fromCache": "disk", "cache": {}, "startedDateTime": "2026-11-25T15:45:59.300Z", "time": 2,
        "request": {"method": "GET", "url": "https://shop.example/logo.png", "headers": []},
        "response": {"status": 200, "statusText": "OK", "headers": [],
        "content": {"size": 8, "mimeType": "image/png", "text": "iVBORw0KGgo=", "encoding": "base64"}},
        "timings": {"blocked": -1, "send": 0, "wait": 1, "receive": 1}},
        {"startedDateTime": "2026-11-25T15:46:59.300Z", "time": 5, "cache": {},
        "request": {"method": "GET", "url": "https://ads.example/track?sid=s1d-of-the-cookie", "headers": []},
        "response": {"status": 0, "statusText": "", "headers": [], "content": {"size": 0, "mimeType": "x-unknown"},
        "_error": "net::ERR_BLOCKED_BY_CLIENT"}, "timings": {"blocked": 5, "send": 0, "wait": 0, "receive": 0}}
        ]}}
        """#

    @Test("A browser's HAR is shown with times, phases, sizes, cache hits and errors")
    func browser() throws {
        let html = try TrafficRecorder.Report(har: Data(Self.chrome.utf8)).html
        for text in [
            "Traffic of ads.example, shop.example", "3 calls", "2026-11-25 15:45:59 UTC", "name lookup 12 ms",
            "connection 20 ms", "TLS 30 ms", "waiting 150 ms", "from the disk cache", "8 bytes, image/png",
            "net::ERR_BLOCKED_BY_CLIENT", "without a call", ":authority: shop.example", "accept: */*", "user=ann",
        ] { #expect(html.contains(text), "\(text)") }
        #expect(!html.contains("iVBORw0KGgo"))
    }

    @Test("A browser's HAR is shown without secrets and without their copies in other exchanges")
    func secrets() throws {
        let html = try TrafficRecorder.Report(har: Data(Self.chrome.utf8)).html
        for secret in [
            "k3y-in-query", "s1d-of-the-cookie", "b3arer-token", "p4ssword-of-ann", "n3w-sid-value",
            "r3fresh-of-server", "user:pass",
        ] { #expect(!html.contains(secret), "\(secret)") }
    }

    /// Secrets in a multipart body, in the code of a redirect and in events, each repeated elsewhere.
    private static let repeated = #"""
        {"log": {"entries": [
        {"request": {"method": "POST", "url": "https://shop.example/login?api_key=k3y7", "headers": [],
        "postData": {"mimeType": "multipart/form-data; boundary=b0undary",
        "text": "--b0undary\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n\#
        p4ss-in-a-part\r\n--b0undary--"}},
        "response": {"status": 302, "statusText": "Found p4ss-in-a-part k3y7", "headers": [{"name": "location",
        "value": "https://shop.example/callback?code=c0de-of-redirect&page=2"}], "content": {"text": ""}}},
        {"request": {"method": "GET", "url": "https://shop.example/callback?code=c0de-of-redirect&page=2"},
        "response": {"status": 200, "statusText": "OK p4ss-in-a-part", "headers": [],
        "content": {"mimeType": "text/event-stream", "text": "data: {\"access_token\": \"t0ken-in-events\"}\n\n"}}},
        {"request": {"method": "GET", "url": "https://other.example/seen/t0ken-in-events"},
        "response": {"status": 200, "statusText": "", "headers": [{"name": "x-seen", "value": "c0de-of-redirect"}],
        "content": {"mimeType": "text/plain", "text": "seen: p4ss-in-a-part"}}}
        ]}}
        """#

    @Test(
        "A secret in a form part, a redirect code or an event is removed wherever it is repeated",
        arguments: ["p4ss-in-a-part", "c0de-of-redirect", "t0ken-in-events", "k3y7"]
    )
    func repeatedSecrets(secret: String) throws {
        let html = try TrafficRecorder.Report(har: Data(Self.repeated.utf8)).html
        #expect(!html.contains(secret))
        #expect(html.contains("page=2"))
    }

    @Test("Cookie values of a HAR are removed, even if no header field contains them")
    func cookies() throws {
        let har = #"""
            {"log": {"entries": [
            {"request": {"method": "GET", "url": "https://shop.example/a", "headers": [],
            "cookies": [{"name": "sid", "value": "s1d-of-a-cookie"}]},
            "response": {"status": 200, "headers": [], "cookies": [{"name": "n", "value": "n3w-of-a-cookie"}],
            "content": {"mimeType": "text/plain", "text": "your session: s1d-of-a-cookie, n3w-of-a-cookie"}}},
            {"request": {"method": "GET", "url": "https://shop.example/b/s1d-of-a-cookie", "headers": []},
            "response": {"status": 200, "headers": [{"name": "x-seen", "value": "n3w-of-a-cookie"}]}}
            ]}}
            """#
        let html = try TrafficRecorder.Report(har: Data(har.utf8)).html
        #expect(html.contains("your session"))
        for secret in ["s1d-of-a-cookie", "n3w-of-a-cookie"] { #expect(!html.contains(secret), "\(secret)") }
    }

    @Test(
        "Missing members and members of another type are omitted",
        arguments: [
            "{}", #"{"request": [], "response": 7, "timings": "a", "time": "b"}"#,
            #"{"startedDateTime": "2026-13-45T99", "time": -5, "request": {"method": null, "url": 7}}"#,
            #"{"startedDateTime": "9999-12-31T23:59:59.999Z", "time": 1e300, "timings": {"wait": 1e300, "dns": -1e9}}"#,
            #"{"response": {"content": {"size": 9223372036854775807}}, "_call": 1, "_offset": -7, "_attempt": -1}"#,
            #"{"response": {"content": {"text": "not base64 é", "encoding": "base64"}}}"#,
            #"{"request": {"headers": [7, {"name": 1}, {"name": "a"}], "postData": {"params": [{}]}}}"#,
        ]
    )
    func lenient(entry: String) throws {
        let har = #"{"log": {"_calls": [7, {"number": 1, "events": [{}, 7]}], "entries": [\#(entry), {}]}}"#
        let document = try HTMLDocument(TrafficRecorder.Report(har: Data(har.utf8)).html)
        #expect(document.count(of: "ol") == 1)
    }
}
