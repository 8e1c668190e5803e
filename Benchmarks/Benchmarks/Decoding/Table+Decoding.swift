import WaybillTesting

extension Table {
    /// Creates the table of the measurements of decoders, with the means over the documents that count for them.
    init(decoding measurements: [Measurement]) {
        self.init(decoding: measurements, of: "case")
        for mean in Speedup.means(measurements) {
            add([mean.caseName, mean.subject, "", "", Self.factor(mean.byClock), Self.factor(mean.byProcessor)])
        }
    }
}
