// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "Waybill",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .library(name: "Waybill", targets: ["Waybill"]),
        .library(name: "WaybillJSON", targets: ["WaybillJSON"]),
        .library(name: "WaybillTesting", targets: ["WaybillTesting"]),
        .executable(name: "quickstart", targets: ["quickstart"]),
        .executable(name: "benchmarks", targets: ["benchmarks"]),
    ],
    targets: [
        .target(name: "WaybillJSON"),
        // Loads libraries of the system at run time: libcurl and what undoes content codings.
        .target(name: "CWaybill"),
        .target(
            name: "Waybill",
            dependencies: ["WaybillJSON", .target(name: "CWaybill", condition: .when(platforms: [.linux]))]
        ),
        .target(name: "WaybillTesting", dependencies: ["Waybill"]),
        .executableTarget(name: "quickstart", dependencies: ["Waybill", "WaybillTesting"]),
        .target(name: "AllocationCounter", path: "Benchmarks/AllocationCounter"),
        .executableTarget(
            name: "benchmarks",
            dependencies: ["Waybill", "WaybillJSON", "WaybillTesting", "AllocationCounter"],
            path: "Benchmarks/Benchmarks"
        ),
        .testTarget(name: "WaybillJSONTests", dependencies: ["WaybillJSON"]),
        .testTarget(name: "WaybillTests", dependencies: ["Waybill", "WaybillTesting"]),
        .testTarget(name: "WaybillTestingTests", dependencies: ["Waybill", "WaybillTesting"]),
        .testTarget(name: "IntegrationTests", dependencies: ["Waybill", "WaybillTesting"]),
        .testTarget(name: "DocumentationTests", dependencies: ["Waybill", "WaybillJSON", "WaybillTesting"]),
        .testTarget(name: "MisuseTests", dependencies: ["Waybill"]),
    ],
    swiftLanguageModes: [.v6]
)
