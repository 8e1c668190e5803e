import Foundation
import Testing

@Suite("PrivacyInfo.xcprivacy")
struct PrivacyManifestTests {
    /// The APIs for which Apple requires a reason, by category, as far as this library could use them.
    private static let names: [String: [String]] = [
        "NSPrivacyAccessedAPICategoryFileTimestamp": [
            "stat(", "fstat(", "lstat(", "fstatat(", "getattrlist(", "creationDate", "modificationDate",
            "contentModificationDateKey", "creationDateKey",
        ],
        "NSPrivacyAccessedAPICategorySystemBootTime": ["systemUptime", "mach_absolute_time("],
        "NSPrivacyAccessedAPICategoryDiskSpace": [
            "volumeAvailableCapacity", "volumeTotalCapacity", "systemFreeSize", "statfs(", "statvfs(",
        ],
        "NSPrivacyAccessedAPICategoryUserDefaults": ["UserDefaults"],
    ]

    private func manifest() throws -> [String: Any] {
        let text = try Repository.text(of: "Sources/Waybill/PrivacyInfo.xcprivacy")
        let list = try PropertyListSerialization.propertyList(from: Data(text.utf8), format: nil)
        return try #require(list as? [String: Any])
    }

    @Test("The privacy manifest declares exactly the API categories that the sources use")
    func categories() throws {
        let code = try [
            "Waybill", "WaybillHTTP", "WaybillJSON", "WaybillTransports", "WaybillCurl", "WaybillURLSession",
            "WaybillFiles", "WaybillCaching", "WaybillLimits", "WaybillOperations", "WaybillSessions",
            "WaybillTransfers",
        ]
        .flatMap { Repository.files(below: "Sources/\($0)", withExtension: "swift") }
        .map { Data(try Repository.text(of: $0).utf8) }
        let used = Self.names.filter { _, names in
            code.contains { text in names.contains { text.range(of: Data($0.utf8)) != nil } }
        }
        let declared = try #require(try manifest()["NSPrivacyAccessedAPITypes"] as? [[String: Any]])
        #expect(Set(declared.compactMap { $0["NSPrivacyAccessedAPIType"] as? String }) == Set(used.keys))
    }

    @Test("The privacy manifest declares file timestamps for files in the app's container")
    func reasons() throws {
        let declared = try #require(try manifest()["NSPrivacyAccessedAPITypes"] as? [[String: Any]])
        #expect(declared.map { $0["NSPrivacyAccessedAPITypeReasons"] as? [String] } == [["C617.1"]])
    }

    @Test("The privacy manifest declares no tracking and no collected data")
    func tracking() throws {
        let manifest = try manifest()
        #expect(manifest["NSPrivacyTracking"] as? Bool == false)
        #expect((manifest["NSPrivacyTrackingDomains"] as? [Any])?.isEmpty == true)
        #expect((manifest["NSPrivacyCollectedDataTypes"] as? [Any])?.isEmpty == true)
    }
}
