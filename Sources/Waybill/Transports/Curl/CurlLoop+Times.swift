#if os(Linux)
    import Foundation

    extension CurlLoop {
        /// When there is something to do, if nothing happens before.
        var nextTime: ContinuousTime { min(action, check, closing, deadlines.next) }

        func watchTimes(_ time: ContinuousTime) { if time < check { check = time } }

        /// Stops the transfers that took too long.
        func checkTimes() {
            guard min(check, deadlines.next) <= now else { return }
            var late: [CurlTransfer] = []
            while let transfer = deadlines.popOverdue(at: now) {
                transfer.end(.failure(transfer.overdue(configuration.timeouts)))
                late.append(transfer)
            }
            // The other times do not run for those that wait.
            if check <= now {
                check = .never
                for transfer in transfers {
                    if let error = transfer.lateness(at: now, configuration.timeouts, next: &check) {
                        transfer.end(.failure(error))
                        late.append(transfer)
                    }
                }
            }
            // All have ended by now, so that none is sent in the place of another.
            for transfer in late {
                detach(transfer)
                touch(transfer)
            }
        }
    }
#endif
