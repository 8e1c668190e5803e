#if os(Linux)
    import Foundation
    import Testing

    @testable import Waybill
    @testable import WaybillCurl

    /// A body in its content codings, encoded by other programs: Python 3's gzip and zlib, brotli 1.2, and zstd 1.5.
    struct EncodedSample: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let codings: [ContentCoding]
        let bytes: Data
        /// Whether a prefix of the sample is also a complete body: the first of several members.
        let hasParts: Bool

        init(_ label: String, _ codings: [ContentCoding], _ base64: String, hasParts: Bool = false) {
            testDescription = label
            self.codings = codings
            bytes = Data(base64Encoded: base64) ?? Data()
            self.hasParts = hasParts
        }

        /// Whether the encoding detects every change to the body.
        ///
        /// A change to a header field that does not affect the body can go undetected.
        var hasChecksum: Bool {
            !["raw deflate", "stored deflate", "br", "zstd without checksum"].contains(testDescription)
        }

        /// The decoded body of every sample.
        static let body = Data(
            #"""
            {"data":[{"id":0,"name":"Lamp 0","price":0.5},{"id":1,"name":"Lamp 7","price":3.5},\#
            {"id":2,"name":"Lamp 14","price":6.5},{"id":3,"name":"Lamp 21","price":9.5},\#
            {"id":4,"name":"Lamp 28","price":12.5},{"id":5,"name":"Lamp 35","price":15.5}],"text":"ä ✓"}
            """#.utf8
        )

        /// The samples that can be decoded on this system.
        static let all = table.filter { $0.codings.allSatisfy(\.isSupported) }

        /// The encodings of an empty body.
        static let empty = [
            Self("gzip", [.gzip], "H4sIAAAAAAAC/wMAAAAAAAAAAAA="), Self("deflate", [.deflate], "eJwDAAAAAAE="),
            Self("raw deflate", [.deflate], "AwA="),
            Self("br", [.brotli], "Ow=="), Self("zstd", [.zstd], "KLUv/SQAAQAAmenYUQ=="),
        ].filter { $0.codings.allSatisfy(\.isSupported) }

        private static let table = [
            Self(
                "gzip",
                [.gzip],
                """
                H4sIAAAAAAAC/6tWSkksSVSyiq5WykxRsjLQUcpLzE1VslLyScwtUDBQ0lEqKMpMBgoY6JnW6kAUGaIqMkcoMkYoMkJVZGiCUGWG\
                UGWMqsrIEKHKEqHKBE2VBUKVoRFCmSmqMmNTJGWmQGWxOkolqRUlQPnDSxQezZmsVAsArgfHj/4AAAA=
                """
            ),
            Self(
                "gzip with a name",
                [.gzip],
                """
                H4sICAAAAAAC/2JvZHkuanNvbgCrVkpJLElUsoquVspMUbIy0FHKS8xNVbJS8knMLVAwUNJRKijKTAYKGOiZ1upAFBmiKjJHKDJG\
                KDJCVWRoglBlhlBljKrKyBChyhKhygRNlQVClaERQpkpqjJjUyRlpkBlsTpKJakVJUD5w0sUHs2ZrFQLAK4Hx4/+AAAA
                """
            ),
            Self(
                "three gzip members",
                [.gzip],
                """
                H4sIAAAAAAAC/6tWSkksSVSyiq5WykxRsjLQUcpLzE1VslLyScwtUDBQ0lEqKMpMBgoY6JnW6kAUGaIqMkcoMkYoMkJVZGiCUGWG\
                UAUAkAbMun8AAAAfiwgAAAAAAAL/AwAAAAAAAAAAAB+LCAAAAAAAAv8z1lHKS8xNVbJS8knMLVAwMlTSUSooykwGiljqmdbqVCtl\
                pihZmaCpskCoMjRCKDNFVWZsiqTMFKgsVkepJLWiBCh/eInCozmTlWoBalUEjH8AAAA=
                """,
                hasParts: true
            ),
            Self(
                "deflate",
                [.deflate],
                """
                eNqrVkpJLElUsoquVspMUbIy0FHKS8xNVbJS8knMLVAwUNJRKijKTAYKGOiZ1upAFBmiKjJHKDJGKDJCVWRoglBlhlBljKrKyBCh\
                yhKhygRNlQVClaERQpkpqjJjUyRlpkBlsTpKJakVJUD5w0sUHs2ZrFQLANnOSWM=
                """
            ),
            Self(
                "raw deflate",
                [.deflate],
                """
                q1ZKSSxJVLKKrlbKTFGyMtBRykvMTVWyUvJJzC1QMFDSUSooykwGChjomdbqQBQZoioyRygyRigyQlVkaIJQZYZQZYyqysgQocoS\
                ocoETZUFQpWhEUKZKaoyY1MkZaZAZbE6SiWpFSVA+cNLFB7NmaxUCwA=
                """
            ),
            Self(
                "stored deflate",
                [.deflate],
                """
                Af4AAf97ImRhdGEiOlt7ImlkIjowLCJuYW1lIjoiTGFtcCAwIiwicHJpY2UiOjAuNX0seyJpZCI6MSwibmFtZSI6IkxhbXAgNyIs\
                InByaWNlIjozLjV9LHsiaWQiOjIsIm5hbWUiOiJMYW1wIDE0IiwicHJpY2UiOjYuNX0seyJpZCI6MywibmFtZSI6IkxhbXAgMjEi\
                LCJwcmljZSI6OS41fSx7ImlkIjo0LCJuYW1lIjoiTGFtcCAyOCIsInByaWNlIjoxMi41fSx7ImlkIjo1LCJuYW1lIjoiTGFtcCAz\
                NSIsInByaWNlIjoxNS41fV0sInRleHQiOiLDpCDinJMifQ==
                """
            ),
            Self(
                "br",
                [.brotli],
                """
                G/0AqCwObBvJ1mG5NB88XoojVDo8bfNTlZcPuY/nJ2VZWx2sizXJmWGk4smUNhw6EMvj2P6eQg00THg0oZC3xoROLVkQofrAk33o\
                RYXsC3x/UYTlRGteKWIYCPFlDbpEcsOyhrnMSebIyHmEfel15bg=
                """
            ),
            Self(
                "zstd",
                [.zstd],
                """
                KLUv/QRY3QMAdAV7ImRhdGEiOlt7ImlkIjowLCJuYW1lIjoiTGFtcCAwIiwicHJpY2UiOjAuNX0sMTczMjE0NjMyMTk0ODEyNTM1\
                MTUuNX1dLCJ0ZXh0Ijoiw6Qg4pyTIn0PAFDYECTbGNgALKAf2CyprQEpAK8TYASSASgAPiCZEab0f7vh7g==
                """
            ),
            Self(
                "zstd without checksum",
                [.zstd],
                """
                KLUv/QBY3QMAdAV7ImRhdGEiOlt7ImlkIjowLCJuYW1lIjoiTGFtcCAwIiwicHJpY2UiOjAuNX0sMTczMjE0NjMyMTk0ODEyNTM1\
                MTUuNX1dLCJ0ZXh0Ijoiw6Qg4pyTIn0PAFDYECTbGNgALKAf2CyprQEpAK8TYASSASgAPiCZEab0
                """
            ),
            Self(
                "zstd frames, one skippable",
                [.zstd],
                """
                KLUv/QRYRQIAVAN7ImRhdGEiOlt7ImlkIjowLCJuYW1lIjoiTGFtcCAwIiwicHJpY2UiOjAuNX0sMTczMjE0NgcAsIUTNgSSASgA\
                PiCZEab0zEXPXVoqTRgFAAAAc2tpcCEotS/9BFidAgA0BDMsIm5hbWUiOiJMYW1wIDIxIiwicHJpY2UiOjkuNX0seyJpZCI6NDgx\
                MjUzNTUuNX1dLCJ0ZXh0Ijoiw6Qg4pyTIn0FAMBAIJlSsAFYPHXqCcra+7A=
                """,
                hasParts: true
            ),
            Self(
                "gzip, br",
                [.gzip, .brotli],
                """
                i0KAH4sIAAAAAAAC/6tWSkksSVSyiq5WykxRsjLQUcpLzE1VslLyScwtUDBQ0lEqKMpMBgoY6JnW6kAUGaIqMkcoMkYoMkJVZGiC\
                UGWGUGWMqsrIEKHKEqHKBE2VBUKVoRFCmSmqMmNTJGWmQGWxOkolqRUlQPnDSxQezZmsVAsArgfHj/4AAAAD
                """
            ),
            Self(
                "zstd, deflate, gzip",
                [.zstd, .deflate, .gzip],
                """
                H4sIAAAAAAAC/wGOAHH/eJzT2Kr/lyXiLjNDCWu1UkpiSaKSVXS1UmaKkpWBjlJeYm6qkpWST2JugYKBko5SQVFmMlDAQM+0VsfQ\
                3NjI0MQMSFiaWBgamRqbGpoCxWN1lEpSK0qAug4vUXg0Z7JSLT9DwA0BldsSNxh0Fsjf0Fm5llGTYb1wAsskRg0GO4WZgsu+1O9+\
                +A4A0/UrRInl2P2OAAAA
                """
            ),
        ]
    }
#endif
