import Foundation
import Testing

@Suite("Suite names on pages")
struct SuiteNameTests {
    @Test("Every suite named on a page exists")
    func names() throws {
        let files = Set(
            Repository.files(below: "Tests", withExtension: "swift").map {
                (($0 as NSString).lastPathComponent as NSString).deletingPathExtension
            }
        )
        let targets = Set(
            Repository.files(below: "Tests", withExtension: "swift").compactMap {
                $0.split(separator: "/").dropFirst().first.map(String.init)
            }
        )
        var count = 0
        for page in ["Documentation/Operate/Security.md", "Documentation/Run/TransportFaults.md"] {
            let words = try Repository.text(of: page).split(separator: "`").map(String.init)
            for word in words where word.hasSuffix("Tests") && word.allSatisfy(\.isLetter) {
                #expect(files.contains(word) || targets.contains(word), "\(page) names \(word)")
                count += 1
            }
        }
        #expect(count > 10)
    }
}
