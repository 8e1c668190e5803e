#if os(Linux)
    import Testing

    @testable import Waybill
    @testable import WaybillCurl

    @Suite("Content coding names")
    struct ContentCodingTests {
        @Test("gzip and deflate are always supported, and supported codings are offered in a fixed order")
        func offered() {
            #expect(ContentCoding.supported.prefix(2) == [.gzip, .deflate])
            #expect(ContentCoding.acceptEncoding == ContentCoding.supported.map(\.rawValue).joined(separator: ", "))
            #expect(ContentCoding.acceptEncoding?.hasPrefix("gzip, deflate") == true)
        }

        @Test(
            "Content-Encoding lists case-insensitive names in the order they were applied",
            arguments: [
                ("gzip", [.gzip]),
                ("x-gzip", [.gzip]),
                ("GZip", [.gzip]),
                (" \tdeflate\t ", [.deflate]),
                ("deflate,gzip", [.deflate, .gzip]),
                ("deflate , gzip", [.deflate, .gzip]),
                (", gzip,,", [.gzip]),
                ("", []),
                (",", []),
                ("identity", []),
                ("Identity, gzip", [.gzip]),
                ("gzip, gzip, gzip, gzip, gzip", [.gzip, .gzip, .gzip, .gzip, .gzip]),
                ("compress", nil),
                ("gzip, snappy", nil),
                ("aws-chunked", nil),
                ("gzip;q=1", nil),
                ("g zip", nil),
                ("gzip deflate", nil),
                ("\"gzip\"", nil),
                ("ｇzip", nil),
            ] as [(String, [ContentCoding]?)]
        )
        func names(value: String, codings: [ContentCoding]?) throws {
            #expect(try ContentCoding.codings(of: value) == codings)
        }

        @Test("br and zstd are supported if their libraries are installed", arguments: [ContentCoding.brotli, .zstd])
        func optional(coding: ContentCoding) throws {
            #expect(try ContentCoding.codings(of: coding.rawValue) == (coding.isSupported ? [coding] : nil))
        }

        @Test(
            "A Content-Encoding with more than five codings is rejected",
            arguments: ["gzip, gzip, gzip, gzip, gzip, gzip", "a,b,c,d,e,f", "identity,gzip,gzip,gzip,gzip,gzip"]
        )
        func tooMany(value: String) {
            let error = #expect(throws: TransportError.self) { try ContentCoding.codings(of: value) }
            #expect(error?.kind == .invalidResponse)
            #expect(error?.message == "Content-Encoding lists 6 codings, but at most 5 are decoded")
        }
    }
#endif
