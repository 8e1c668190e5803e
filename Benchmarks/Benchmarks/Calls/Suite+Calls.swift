import Foundation

extension Suite {
    /// Calls, from declaration to decoded value, without a network.
    static let calls = Suite(
        name: "calls",
        summary: "a call from its declaration to the decoded value, through a transport that responds at once",
        rounds: 15
    ) { _ in
        guard let url = URL(string: "https://shop.example/v1") else { throw URLError(.badURL) }
        for line in await CountedWork.lines() { print(line) }
        print()
        return Case.wholeCalls(to: url) + Case.plans(for: url)
    }
}
