import Foundation

extension Suite {
    /// The build time and size of an app that uses the package.
    static let weight = Suite(
        name: "weight",
        summary: "a small app that is built with the package, in processor seconds",
        rounds: 1
    ) { _ in
        for configuration in ["debug", "release"] {
            let app = try AppBuild(configuration)
            let times = try await app.build()
            print("\(configuration), from nothing: \(seconds(times.reduce(0) { $0 + $1.time.processor }))")
            for (name, time) in times { print("    \(name): \(seconds(time.processor))") }
            if configuration == "debug" {
                let time = try await app.rebuild()
                print("debug, after an edit: \(seconds(time.processor)), \(seconds(time.wall)) on the wall clock")
            } else {
                let megabytes = Double(try await app.strippedSize()) / 1_000_000
                print("release, the program without its symbols: \(String(format: "%.1f", megabytes)) MB")
            }
            for module in ["Waybill", "WaybillJSON"] {
                print("\(configuration), the files of \(module) whose types take longest to check:")
                for file in try await app.slowestFiles(of: module, count: 10) {
                    print("    \(file.file): \(seconds(file.seconds))")
                }
            }
        }
        let app = try AppBuild("release", program: FirstDecodes.program)
        _ = try await app.build()
        print("the first decode of each of \(FirstDecodes.typeCount) types, in a program that has just started:")
        for decoder in ["foundation", "waybill", "foundation", "waybill"] {
            let time = try await FirstDecodes.milliseconds(of: app, decoder, rounds: 15)
            print("    \(decoder): \(String(format: "%.2f", time)) ms")
        }
        return []
    }

    private static func seconds(_ time: Double) -> String { String(format: "%.1f s", time) }
}
