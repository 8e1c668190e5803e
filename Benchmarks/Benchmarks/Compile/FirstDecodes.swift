import Foundation

/// A program that decodes one value of each of many types, as an app does after launch.
enum FirstDecodes {
    /// The number of types: pairs of an outer type and the type of one of its members.
    static let typeCount = 300

    /// Returns the median time in which a decoder decodes all types, in milliseconds, each time in a new process.
    ///
    /// - Parameters:
    ///   - app: the app with the program.
    ///   - decoder: `foundation` or `waybill`.
    ///   - rounds: the number of processes to start.
    static func milliseconds(of app: AppBuild, _ decoder: String, rounds: Int) async throws -> Double {
        var times: [Double] = []
        for _ in 0..<rounds {
            let text = try await app.run([decoder])
            guard let time = Double(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
                throw Tool.Failure(text: "the program printed \(text)")
            }
            times.append(time)
        }
        return times.sorted()[times.count / 2]
    }

    /// The source of the program, which prints its decoding time in milliseconds.
    static let program: String = {
        let outer = (0..<typeCount / 2).map { number in
            """
            struct Inner\(number): Decodable { let street: String; let number: Int? }
            struct Outer\(number): Decodable {
                let id: Int
                let name: String
                let price: Double
                let tags: [String]
                let isOpen: Bool
                let inner: Inner\(number)
            }
            """
        }
        let decodes = (0..<typeCount / 2).map { "    sum += try decode(Outer\($0).self, document).id" }
        return """
            import Foundation
            import Waybill

            \(outer.joined(separator: "\n"))

            let text = #"{"id":1,"name":"Lamp","price":2.5,"tags":["a"],"isOpen":true,"inner":{"street":"s"}}"#
            let document = Data(text.utf8)
            let (foundation, waybill) = (JSONDecoder(), WaybillJSONDecoder())
            let isFoundation = CommandLine.arguments.last == "foundation"

            func decode<Value: Decodable>(_ type: Value.Type, _ document: Data) throws -> Value {
                isFoundation ? try foundation.decode(type, from: document) : try waybill.decode(type, from: document)
            }

            func all() throws -> Int {
                var sum = 0
            \(decodes.joined(separator: "\n"))
                return sum
            }

            let start = ContinuousClock.now
            guard try all() == \(typeCount / 2) else { exit(1) }
            let duration = start.duration(to: .now).components
            print(Double(duration.seconds) * 1e3 + Double(duration.attoseconds) / 1e15)
            """
    }()
}
