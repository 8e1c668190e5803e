import Foundation
import WaybillBenchmarking

extension Speedup {
    /// Returns one geometric mean for each subject, over the documents that count for it.
    static func means(_ measurements: [Measurement]) -> [Speedup] {
        let names = DecodingBenchmark(DecodingBenchmark.documents).names
        let counted = all(measurements).filter { names.contains($0.caseName) }
        var subjects: [String] = []
        for each in counted where !subjects.contains(each.subject) { subjects.append(each.subject) }
        return subjects.map { subject in
            let ofSubject = counted.filter { $0.subject == subject }
            return Speedup(
                caseName: "geometric mean of \(ofSubject.count)",
                subject: subject,
                byClock: mean(ofSubject.map(\.byClock)),
                byProcessor: mean(ofSubject.map(\.byProcessor))
            )
        }
    }

    private static func mean(_ factors: [Double]) -> Double {
        exp(factors.map { log($0) }.reduce(0, +) / Double(factors.count))
    }
}
