#if os(Linux)
    import Foundation

    extension CurlLoop {
        func watchTimes(_ time: ContinuousTime) { if time < check { check = time } }

        /// Stops the transfers that took too long.
        func checkTimes() {
            check = .never
            var late: [CurlTransfer] = []
            for transfer in transfers {
                if let error = transfer.lateness(at: now, configuration.timeouts, next: &check) {
                    transfer.end(.failure(error))
                    late.append(transfer)
                }
            }
            // Only the time of the whole call runs for those that wait.
            if configuration.timeouts.total != nil {
                for transfer in limit.waiting + Array(held.values) {
                    if let error = transfer.lateness(at: now, configuration.timeouts, next: &check) {
                        transfer.end(.failure(error))
                        late.append(transfer)
                    }
                }
            }
            for transfer in late {
                detach(transfer)
                touch(transfer)
            }
        }
    }
#endif
