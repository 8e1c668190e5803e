// swift-tools-version: 6.2

import PackageDescription

// For what users copy: the settings of new Xcode projects, whose default isolation is the main actor.
let appSettings: [SwiftSetting] =
    Context.environment["WAYBILL_MAIN_ACTOR"] == nil
    ? []
    : [
        .defaultIsolation(MainActor.self),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .treatAllWarnings(as: .error),
    ]

// What tests and benchmarks look into: both transports on Linux, one elsewhere.
let transports: [Target.Dependency] = [
    "WaybillTransports", "WaybillURLSession", .target(name: "WaybillCurl", condition: .when(platforms: [.linux])),
]

let options: [Target.Dependency] = [
    "WaybillCaching", "WaybillLimits", "WaybillOperations", "WaybillSessions", "WaybillTransfers",
]

let package = Package(
    name: "Waybill",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .library(name: "Waybill", targets: ["Waybill"]),
        .library(name: "WaybillHTTP", targets: ["WaybillHTTP"]),
        .library(name: "WaybillJSON", targets: ["WaybillJSON"]),
        .library(name: "WaybillURLSession", targets: ["WaybillURLSession"]),
        .library(name: "WaybillCaching", targets: ["WaybillCaching"]),
        .library(name: "WaybillLimits", targets: ["WaybillLimits"]),
        .library(name: "WaybillOperations", targets: ["WaybillOperations"]),
        .library(name: "WaybillSessions", targets: ["WaybillSessions"]),
        .library(name: "WaybillTransfers", targets: ["WaybillTransfers"]),
        .library(name: "WaybillDescription", targets: ["WaybillDescription"]),
        .library(name: "WaybillStore", targets: ["WaybillStore"]),
        .library(name: "WaybillTesting", targets: ["WaybillTesting"]),
        .library(name: "WaybillTestingTraits", targets: ["WaybillTestingTraits"]),
        .library(name: "WaybillBenchmarking", targets: ["WaybillBenchmarking"]),
        .executable(name: "quickstart", targets: ["quickstart"]),
        .executable(name: "benchmarks", targets: ["benchmarks"]),
    ],
    targets: [
        .target(name: "WaybillSystem"),
        .target(name: "WaybillJSON", dependencies: ["WaybillSystem"]),
        .target(name: "WaybillHTTP", dependencies: ["WaybillSystem"]),
        .target(name: "WaybillTransports", dependencies: ["WaybillHTTP", "WaybillSystem"]),
        // Loads libraries of the system at run time: libcurl and what undoes content codings. Asks for routes.
        .target(name: "CWaybill"),
        .target(name: "WaybillCurl", dependencies: ["CWaybill", "WaybillHTTP", "WaybillSystem", "WaybillTransports"]),
        .target(name: "WaybillURLSession", dependencies: ["WaybillHTTP", "WaybillTransports"]),
        // Xcode adds its PrivacyInfo.xcprivacy to an app by itself; elsewhere it is ignored.
        .target(
            name: "Waybill",
            dependencies: [
                "WaybillHTTP", "WaybillJSON", "WaybillSystem",
                .target(name: "WaybillCurl", condition: .when(platforms: [.linux])),
                .target(
                    name: "WaybillURLSession",
                    condition: .when(platforms: [.macOS, .iOS, .tvOS, .watchOS, .visionOS, .macCatalyst, .android])
                ),
            ]
        ),
        // The options of calls, each a product that an app adds when it uses it.
        .target(name: "WaybillCaching", dependencies: ["Waybill", "WaybillFiles", "WaybillSystem"]),
        .target(
            name: "WaybillLimits",
            dependencies: [
                "Waybill", "WaybillSystem", .target(name: "CWaybill", condition: .when(platforms: [.linux])),
            ]
        ),
        .target(name: "WaybillOperations", dependencies: ["Waybill", "WaybillFiles", "WaybillJSON", "WaybillSystem"]),
        .target(name: "WaybillSessions", dependencies: ["Waybill", "WaybillFiles", "WaybillSystem"]),
        .target(
            name: "WaybillTransfers",
            dependencies: [
                "Waybill", "WaybillFiles", "WaybillJSON", "WaybillSystem",
                .target(name: "CWaybill", condition: .when(platforms: [.linux])),
            ]
        ),
        // Hashes and directories, for several of them.
        .target(name: "WaybillFiles", dependencies: ["WaybillHTTP", "WaybillSystem"]),
        .target(
            name: "WaybillDescription",
            dependencies: [
                "Waybill", "WaybillJSON", "WaybillOperations", "WaybillSessions", "WaybillSystem", "WaybillTransfers",
            ]
        ),
        // SQLite: loaded at run time on Linux, linked on Apple's platforms.
        .target(
            name: "CWaybillSQLite",
            linkerSettings: [
                .linkedLibrary(
                    "sqlite3",
                    .when(platforms: [.macOS, .iOS, .tvOS, .watchOS, .visionOS, .macCatalyst])
                )
            ]
        ),
        .target(
            name: "WaybillStore",
            dependencies: ["CWaybillSQLite", "Waybill", "WaybillJSON", "WaybillLimits", "WaybillSystem"]
        ),
        .target(
            name: "WaybillTesting",
            dependencies: [
                "Waybill", "WaybillDescription", "WaybillFiles", "WaybillOperations", "WaybillSystem",
                "WaybillTransfers",
                .target(name: "WaybillCurl", condition: .when(platforms: [.linux])),
            ]
        ),
        // Apart, because it links Swift Testing, which programs do not have.
        .target(name: "WaybillTestingTraits", dependencies: ["Waybill", "WaybillTesting"]),
        // Apart, so that tests and apps are not built with it.
        .target(name: "WaybillBenchmarking", dependencies: ["Waybill", "WaybillTransfers"]),
        .executableTarget(
            name: "quickstart",
            dependencies: ["Waybill", "WaybillDescription", "WaybillStore", "WaybillTesting", "WaybillTransfers"],
            swiftSettings: appSettings
        ),
        .target(name: "AllocationCounter", path: "Benchmarks/AllocationCounter"),
        .executableTarget(
            name: "benchmarks",
            dependencies: [
                "AllocationCounter", "CWaybillSQLite", "Waybill", "WaybillBenchmarking", "WaybillDescription",
                "WaybillJSON",
                "WaybillStore", "WaybillTesting",
            ] + options + transports,
            path: "Benchmarks/Benchmarks"
        ),
        // An option that no product has.
        .target(name: "SampleOption", dependencies: ["Waybill"], path: "Tests/SampleOption"),
        // The process that tests of downloads kill.
        .executableTarget(name: "downloader", dependencies: ["Waybill", "WaybillTransfers"], path: "Tests/Downloader"),
        // The process that tests of stores kill.
        .executableTarget(name: "storewriter", dependencies: ["Waybill", "WaybillStore"], path: "Tests/StoreWriter"),
        // What the tests of all modules share.
        .target(name: "TestSupport", path: "Tests/TestSupport"),
        // What the tests of calls share: the API that they declare, the transports, what they record.
        .target(
            name: "CallSupport",
            dependencies: ["TestSupport", "Waybill", "WaybillOperations", "WaybillTesting", "WaybillTransfers"]
                + transports,
            path: "Tests/CallSupport"
        ),
        .testTarget(name: "WaybillJSONTests", dependencies: ["TestSupport", "WaybillJSON"]),
        .testTarget(
            name: "WaybillHTTPTests",
            dependencies: ["CallSupport", "TestSupport", "Waybill", "WaybillHTTP", "WaybillSystem", "WaybillTesting"]
        ),
        .testTarget(
            name: "WaybillTransportsTests",
            dependencies: ["CallSupport", "TestSupport", "Waybill", "WaybillHTTP", "WaybillTesting"] + options
                + transports
        ),
        .testTarget(
            name: "WaybillTests",
            dependencies: ["CallSupport", "SampleOption", "TestSupport", "Waybill", "WaybillFiles", "WaybillTesting"]
                + options + transports
        ),
        .testTarget(name: "WaybillFilesTests", dependencies: ["TestSupport", "Waybill", "WaybillFiles"]),
        .testTarget(
            name: "WaybillCachingTests",
            dependencies: [
                "CallSupport", "TestSupport", "Waybill", "WaybillCaching", "WaybillFiles", "WaybillSessions",
                "WaybillTesting",
            ]
        ),
        .testTarget(
            name: "WaybillLimitsTests",
            dependencies: ["CallSupport", "TestSupport", "Waybill", "WaybillLimits", "WaybillTesting"]
        ),
        .testTarget(
            name: "WaybillOperationsTests",
            dependencies: [
                "CallSupport", "TestSupport", "Waybill", "WaybillCaching", "WaybillOperations", "WaybillTesting",
            ]
        ),
        .testTarget(
            name: "WaybillSessionsTests",
            dependencies: [
                "CallSupport", "TestSupport", "Waybill", "WaybillCaching", "WaybillFiles", "WaybillSessions",
                "WaybillTesting",
            ]
        ),
        .testTarget(
            name: "WaybillTransfersTests",
            dependencies: [
                "CallSupport", "TestSupport", "Waybill", "WaybillFiles", "WaybillLimits", "WaybillSessions",
                "WaybillTesting", "WaybillTransfers", "downloader",
            ]
        ),
        .testTarget(
            name: "WaybillStoreTests",
            dependencies: [
                "CWaybillSQLite", "TestSupport", "Waybill", "WaybillDescription", "WaybillStore", "WaybillSystem",
                "WaybillTesting", "storewriter",
            ] + options
        ),
        .testTarget(
            name: "WaybillTestingTests",
            dependencies: [
                "TestSupport", "Waybill", "WaybillDescription", "WaybillFiles", "WaybillTesting",
                "WaybillTestingTraits",
            ] + options + transports,
            exclude: ["Recording/Recordings"]
        ),
        .testTarget(
            name: "WaybillBenchmarkingTests",
            dependencies: ["TestSupport", "Waybill", "WaybillBenchmarking"]
        ),
        .testTarget(
            name: "WaybillDescriptionTests",
            dependencies: ["TestSupport", "Waybill", "WaybillDescription", "WaybillTesting"] + options
        ),
        .testTarget(
            name: "IntegrationTests",
            dependencies: ["TestSupport", "Waybill", "WaybillDescription", "WaybillTesting"] + options + transports
        ),
        .testTarget(
            name: "DocumentationTests",
            dependencies: [
                "TestSupport", "Waybill", "WaybillBenchmarking", "WaybillDescription", "WaybillJSON", "WaybillStore",
                "WaybillFiles", "WaybillTesting", "WaybillTestingTraits",
            ] + options + transports,
            swiftSettings: appSettings
        ),
        .testTarget(
            name: "MisuseTests",
            dependencies: [
                "TestSupport", "Waybill", "WaybillBenchmarking", "WaybillDescription", "WaybillJSON", "WaybillTesting",
            ] + options
        ),
    ],
    swiftLanguageModes: [.v6]
)

// A build with a sanitizer needs some of the tests, and no programs: `WAYBILL_TEST_TARGETS=WaybillJSONTests` selects
// targets, and `WAYBILL_TEST_FOLDERS=WaybillTests/Calls,WaybillTests/Client` folders of a target.
if let names = Context.environment["WAYBILL_TEST_TARGETS"]?.split(separator: ",").map(String.init) {
    let programs = ["quickstart", "benchmarks"]
    package.targets.removeAll { programs.contains($0.name) || $0.type == .test && !names.contains($0.name) }
    package.products.removeAll { programs.contains($0.name) }
}
if let folders = Context.environment["WAYBILL_TEST_FOLDERS"]?.split(separator: ",").map(String.init) {
    for target in package.targets where target.type == .test {
        let prefix = "\(target.name)/"
        let own = folders.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
        if !own.isEmpty { target.sources = own }
    }
}
