#if os(Linux)
    import Foundation
    import Testing
    import Waybill
    import WaybillTesting

    @testable import WaybillCurl

    @Suite("DeployingOnLinux.md")
    struct DeployingOnLinuxSamples {
        private let images = [
            """
            FROM swift:6.2 AS build
            WORKDIR /build
            COPY . .
            RUN swift build -c release --product App

            FROM swift:6.2-slim
            RUN apt-get update && apt-get install -y ca-certificates && rm -rf /var/lib/apt/lists/*
            COPY --from=build /build/.build/release/App /usr/local/bin/App
            CMD ["App"]
            """,
            """
            FROM swift:6.2 AS build
            WORKDIR /build
            COPY . .
            RUN swift build -c release --static-swift-stdlib --product App

            FROM ubuntu:24.04
            RUN apt-get update && apt-get install -y libcurl4t64 ca-certificates && rm -rf /var/lib/apt/lists/*
            COPY --from=build /build/.build/release/App /usr/local/bin/App
            CMD ["App"]
            """,
        ]

        /// The error text of a process without libcurl.
        private let error = """
            the transport is not available: libcurl.so.4: cannot open shared object file: No such file or directory; install libcurl: the package is libcurl4 on Debian and Ubuntu (libcurl4t64 from 24.04 on), and libcurl on Fedora, Amazon Linux and Alpine
            """

        /// Waits until the work has ended; after the grace period, cancels it.
        func shutDown(
            _ work: Task<Void, Never>,
            within grace: Duration,
            clock: some Clock<Duration> = ContinuousClock()
        ) async {
            let end = Task {
                try await clock.sleep(for: grace)
                work.cancel()
            }
            await work.value
            end.cancel()
        }

        @Test(
            "A shutdown waits for calls in flight and cancels them after the grace period",
            arguments: [true, false]
        )
        func shutdown(finishes: Bool) async {
            let clock = ManualClock()
            let gate = Gate()
            let stub = StubTransport { _ in finishes ? StubResponse.json("1").held(by: gate) : .never }
            let client = Client(Sample.url, transport: stub) { Retry(attempts: 3) }
            let outcomes = Outcomes()
            let work = Task {
                let error = await Sample.failure { try await client.get("a", as: Int.self) }
                await outcomes.add(error)
            }
            _ = await stub.waitForRequests(count: 1)
            let end = Task { await shutDown(work, within: .seconds(20), clock: clock) }
            await clock.waitForSleepers(count: 1)
            if finishes { gate.open() } else { clock.advance(by: .seconds(20)) }
            await end.value
            let errors = await outcomes.all
            #expect(errors.count == 1)
            if case .cancelled? = errors.first ?? nil { #expect(!finishes) } else { #expect(finishes) }
            #expect(stub.requests.count == 1)
        }

        private actor Outcomes {
            var all: [APIError?] = []
            func add(_ error: APIError?) { all.append(error) }
        }

        @Test("A process without libcurl gets the error shown in DeployingOnLinux.md")
        func libcurl() {
            let reason = CurlLibrary.load("libcurl.so.40")
            #expect(reason == "libcurl.so.40: cannot open shared object file: No such file or directory")
            let shown = CurlLibrary.unavailable(reason ?? "").description
            #expect(shown.replacing("libcurl.so.40", with: "libcurl.so.4") == error)
        }

        @Test("The core and the Linux transport do not import FoundationNetworking, which links libcurl")
        func networking() throws {
            for module in ["Waybill", "WaybillHTTP", "WaybillJSON", "WaybillTransports", "WaybillCurl"] {
                for path in Repository.files(below: "Sources/\(module)", withExtension: "swift") {
                    #expect(!(try Repository.text(of: path).contains("import FoundationNetworking")), "\(path)")
                }
            }
        }

        @Test("The images use the tools version of the manifest")
        func toolsVersion() throws {
            let manifest = try Repository.text(of: "Package.swift")
            let version = try #require(manifest.firstMatch(of: /swift-tools-version: ([0-9.]+)/)).output.1
            #expect(images.allSatisfy { $0.hasPrefix("FROM swift:\(version) AS build\n") })
        }
    }
#endif
