#if os(Linux)
    import WaybillHTTP
    import WaybillSystem
    import WaybillTransports

    extension CurlLoop {
        /// The time of the next action if no event happens before.
        var nextTime: ContinuousTime { min(action, check, closing, deadlines.next) }

        func watchTimes(_ time: ContinuousTime) { if time < check { check = time } }

        /// Stops the transfers that have exceeded a time limit.
        func checkTimes() {
            guard min(check, deadlines.next) <= now else { return }
            var late: [CurlTransfer] = []
            while let transfer = deadlines.popOverdue(at: now) {
                transfer.end(.failure(transfer.overdue(configuration.timeouts)))
                late.append(transfer)
            }
            // The other limits do not apply to transfers in the queue.
            if check <= now {
                check = .never
                for transfer in transfers {
                    if let error = transfer.lateness(at: now, configuration.timeouts, next: &check) {
                        transfer.end(.failure(error))
                        late.append(transfer)
                    }
                }
            }
            // All have ended by now, so that none of them takes the place of another.
            for transfer in late {
                detach(transfer)
                touch(transfer)
            }
        }
    }
#endif
