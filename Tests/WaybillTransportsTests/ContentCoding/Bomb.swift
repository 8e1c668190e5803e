#if os(Linux)
    import Foundation

    @testable import Waybill
    @testable import WaybillCurl

    /// A compressed body that is small on the wire but decompresses to at least 100 MB.
    struct Bomb: Sendable, CustomStringConvertible {
        let description: String
        let codings: [ContentCoding]
        let bytes: Data

        static let all = table.filter { $0.codings.allSatisfy(\.isSupported) }

        private static let table = [
            Self(description: "1600 gzip members of 64 KiB", codings: [.gzip], bytes: repeating(gzipMember, 1600)),
            Self(description: "br", codings: [.brotli], bytes: brotli),
            Self(description: "zstd", codings: [.zstd], bytes: zstd),
        ]

        private static func repeating(_ bytes: Data, _ count: Int) -> Data {
            Data((0..<count).lazy.flatMap { _ in bytes })
        }

        /// 64 KiB of zeros.
        private static let gzipMember = data(
            """
            H4sIAAAAAAAC/+3BAQEAAACAkP6v7ggKAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
            AAAAAAAAAAAAAAAAauuOl9cAAAEA
            """
        )

        /// 100 MB of zeros.
        private static let brotli = data(
            """
            y///P/gnAOKxQCD3/o///3/wTwDEYRGA7v0f////4J8AiMMCAN37P/7//8E/ARCHBQC693/8//+DfwIgDgsAdO//+P//B/8EQBwW\
            AOje//H//w/+CYA4LADQvf/j//8f/BMAcVgAoHv/x///P/gnAOKwAED3/o///3/wTwDEYQGA7v0f////4J8AiMMCAN37v/wHr8M/\
            ARCHBQC62HU=
            """
        )

        /// A frame with a window of 8 MiB and 800 RLE blocks of 131,072 zeros each (RFC 8878, section 3.1.1.2).
        private static let zstd =
            Data([0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x68]) + repeating(Data([0x02, 0x00, 0x10, 0x00]), 799)
            + Data([0x03, 0x00, 0x10, 0x00])

        /// A million empty gzip members, which decode to nothing.
        static let emptyMembers = Self(
            description: "br of empty gzip members",
            codings: [.gzip, .brotli],
            bytes: data(
                "y///P/iPlKzBvRpgQOBjISzGhTGCTO//HlgB4P//H/wTAHFYAKB7/5f/LDH4JwDisABAlyQG"
            )
        )

        private static func data(_ base64: String) -> Data { Data(base64Encoded: base64) ?? Data() }
    }
#endif
